import { nothing, parseLabelSelector } from "@coxswain/apimachinery/selector";
import { createClient } from "@coxswain/client";
import type { Transport, TransportRequest } from "@coxswain/client/transport";
import { describe, expect, it } from "vitest";
import { createMetricsApis } from "./metrics-apis.js";

/** A server that answers these paths and nothing else. */
function answering(answers: Record<string, unknown>) {
  const asked: string[] = [];
  const transport: Transport = {
    async send({ path, query = [] }: TransportRequest) {
      const text = query.map(([name, value]) => `${name}=${value}`).join("&");
      asked.push(text === "" ? path : `${path}?${text}`);
      const body = answers[path] ?? {
        kind: "Status",
        apiVersion: "v1",
        status: "Failure",
        code: 404,
        message: "gone",
        reason: "NotFound",
      };
      const bytes = new TextEncoder().encode(JSON.stringify(body));
      return {
        status: path in answers ? 200 : 404,
        warnings: [],
        header: (name: string) => (name.toLowerCase() === "content-type" ? "application/json" : undefined),
        bytes: () => Promise.resolve(bytes),
        value: () => Promise.resolve(body),
      } as unknown as Awaited<ReturnType<Transport["send"]>>;
    },
    watch: () => Promise.reject(new Error("nothing to watch")),
    close: () => Promise.resolve(),
  };
  return { source: createMetricsApis(createClient({ transport })), asked };
}
const discovery = {
  "/api": { kind: "APIVersions", versions: ["v1"] },
  "/api/v1": { kind: "APIResourceList", groupVersion: "v1", resources: [] },
  "/apis": {
    kind: "APIGroupList",
    groups: ["apps/v1", "custom.metrics.k8s.io/v1beta1"].map((groupVersion) => {
      const [name, version] = groupVersion.split("/");
      return { name, versions: [{ groupVersion, version }], preferredVersion: { groupVersion, version } };
    }),
  },
  "/apis/apps/v1": {
    kind: "APIResourceList",
    groupVersion: "apps/v1",
    resources: [
      { name: "deployments", singularName: "deployment", namespaced: true, kind: "Deployment", verbs: ["get"] },
    ],
  },
  "/apis/custom.metrics.k8s.io/v1beta1": {
    kind: "APIResourceList",
    groupVersion: "custom.metrics.k8s.io/v1beta1",
    resources: [],
  },
};
const selector = parseLabelSelector("app=web");
const timestamp = "2026-01-01T00:00:00Z";

describe("the metrics APIs", () => {
  it("return what pods use, but for pods with a container that is not measured", async () => {
    const path = "/apis/metrics.k8s.io/v1beta1/namespaces/ns/pods";
    const pod = (name: string, ...usages: (string | undefined)[]) => ({
      metadata: { name },
      timestamp,
      window: "30s",
      containers: usages.map((cpu, index) => ({ name: `c${index}`, usage: cpu === undefined ? {} : { cpu } })),
    });
    const { source, asked } = answering({
      [path]: { items: [pod("a", "100m", "1"), pod("b", "1", undefined), pod("c")] },
    });
    const query = { namespace: "ns", selector, resource: "cpu" };
    expect([...(await source.resource(query))]).toEqual([
      ["a", { timestampMs: Date.parse(timestamp), windowMs: 30_000, value: 1100 }],
    ]);
    expect([...(await source.resource({ ...query, container: "c0" })).keys()]).toEqual(["a", "b"]);
    expect(asked[0]).toBe(`${path}?labelSelector=app=web`);
  });

  it("return what pods and objects have, in the version that is served", async () => {
    const base = "/apis/custom.metrics.k8s.io/v1beta1/namespaces/ns";
    const { source, asked } = answering({
      ...discovery,
      [`${base}/pods/*/hits`]: { items: [{ describedObject: { name: "a" }, timestamp, window: 10, value: "1500m" }] },
      [`${base}/deployments.apps/web/hits`]: { items: [{ timestamp, value: "7" }] },
      [`${base}/metrics/hits`]: { items: [{ timestamp, value: "8" }] },
    });
    const metricSelector = parseLabelSelector("path=root");
    expect([...(await source.pods({ namespace: "ns", selector, metric: "hits", metricSelector }))]).toEqual([
      ["a", { timestampMs: Date.parse(timestamp), windowMs: 10_000, value: 1500 }],
    ]);
    expect(asked.at(-1)).toBe(`${base}/pods/*/hits?labelSelector=app=web&metricLabelSelector=path=root`);
    const query = { namespace: "ns", metric: "hits", metricSelector: nothing };
    expect(await source.object({ ...query, object: { apiVersion: "apps/v1", kind: "Deployment", name: "web" } })).toBe(
      7000,
    );
    expect(await source.object({ ...query, object: { apiVersion: "v1", kind: "Namespace", name: "other" } })).toBe(
      8000,
    );
  });

  it("return external metrics", async () => {
    const path = "/apis/external.metrics.k8s.io/v1beta1/namespaces/ns/queue";
    const { source } = answering({ [path]: { items: [{ value: "2" }, { value: "500m" }] } });
    expect(await source.external({ namespace: "ns", metric: "queue", metricSelector: nothing })).toEqual([2000, 500]);
  });

  it("are reported when they fail or return nothing", async () => {
    const path = "/apis/external.metrics.k8s.io/v1beta1/namespaces/ns/queue";
    const query = { namespace: "ns", metric: "queue", metricSelector: nothing };
    await expect(answering({}).source.external(query)).rejects.toThrow(
      /^unable to fetch metrics from external metrics API: gone/,
    );
    await expect(answering({ [path]: { items: [] } }).source.external(query)).rejects.toThrow(
      "no metrics returned from external metrics API",
    );
  });
});
