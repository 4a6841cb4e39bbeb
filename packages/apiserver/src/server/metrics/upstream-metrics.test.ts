import { readFileSync } from "node:fs";
import { systemRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage/memory";
import { describe, expect, it } from "vitest";
import { startApiServer } from "../compose/api-server.js";
import { createByteRequester } from "../in-process/byte-requester.js";

interface Family {
  readonly type: string;
  /** "-" for metrics of the runtime. */
  readonly stability: string;
  readonly labels: string;
}

/** `/metrics` of kube-apiserver v1.36.4 after some traffic, one line for each metric: name, type, stability, labels. Those of the Go runtime are left out. */
const upstream = new Map(
  readFileSync(new URL("../../../testdata/metrics/kube-apiserver.txt", import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line): [string, Family] => {
      const [name = "", type = "", stability = "", labels = ""] = line.split(" ");
      return [name, { type, stability, labels }];
    }),
);

function familiesIn(text: string): Map<string, Family> {
  const families = new Map<string, Family>();
  for (const [, name = "", stability = "-", type = "", samples = ""] of text.matchAll(
    /^# HELP (\S+) (?:\[(\w+)\])?.*\n# TYPE \S+ (\S+)\n((?:[^#].*\n)*)/gm,
  )) {
    const labels = [...new Set([...samples.matchAll(/[{,](\w+)="/g)].map(([, label = ""]) => label))]
      .filter((label) => label !== "le")
      .sort();
    families.set(name, { type, stability, labels: labels.join(",") || "-" });
  }
  return families;
}

describe("metrics beside kube-apiserver's", () => {
  it("those of the same name have the same type, stability and labels", async () => {
    const server = await startApiServer({
      runtime: systemRuntime(),
      store: createMemoryStore({ runtime: systemRuntime() }),
    });
    const request = createByteRequester(server, { name: "admin", groups: ["system:masters"] });
    const send = async (method: string, path: string, sent?: object): Promise<string> => {
      const { body } = await request({
        method,
        path,
        headers: sent ? { "content-type": "application/json" } : {},
        signal: new AbortController().signal,
        ...(sent && { body: new TextEncoder().encode(JSON.stringify(sent)) }),
      });
      let text = "";
      for await (const chunk of body) text += new TextDecoder().decode(chunk);
      return text;
    };
    for (const path of [
      "/api/v1/namespaces/default",
      "/api/v1/namespaces",
      "/api/v1/namespaces?watch=true&timeoutSeconds=1",
      "/readyz",
      "/api/v1/namespaces/default/endpoints",
    ])
      await send("GET", path);
    await send("POST", "/api/v1/namespaces/default/configmaps", {
      kind: "ConfigMap",
      apiVersion: "v1",
      metadata: { name: "a" },
    });
    await send("DELETE", "/api/v1/namespaces/default/configmaps/a");
    await send("POST", "/api/v1/namespaces/default/serviceaccounts", {
      kind: "ServiceAccount",
      apiVersion: "v1",
      metadata: { name: "a" },
    });
    const { status } = JSON.parse(
      await send("POST", "/api/v1/namespaces/default/serviceaccounts/a/token", {
        kind: "TokenRequest",
        apiVersion: "authentication.k8s.io/v1",
        spec: {},
      }),
    ) as { status: { token: string } };
    const stranger = createByteRequester(server, undefined);
    for (const path of ["/api", "/api", "/api/v1/pods"])
      await stranger({
        method: "GET",
        path,
        headers: { authorization: `Bearer ${status.token}` },
        signal: new AbortController().signal,
      });
    await request({
      method: "GET",
      path: "/api",
      headers: { "impersonate-user": "jane" },
      signal: new AbortController().signal,
    });
    const ours = familiesIn(await send("GET", "/metrics"));
    await server.stop();
    const shared = [...ours].filter(([name]) => upstream.has(name));
    expect(shared.length).toBeGreaterThan(20);
    for (const [name, family] of shared) expect([name, family]).toEqual([name, upstream.get(name)]);
    // Upstream's, and not in the traffic that was recorded.
    const unrecorded = ["apiserver_init_events_total"];
    const own = [...ours.keys()].filter(
      (name) => !upstream.has(name) && !unrecorded.includes(name) && !name.startsWith("nodejs_"),
    );
    // Those of access that need a webhook, a certificate or an audit policy are tested where these are.
    const elsewhere = /_webhook_|_config_controller_|client_certificate|audit_level/;
    const access =
      /^(authentic|authoriz|apiserver_(audit|authentic|authoriz|flowcontrol|impersonation|webhooks|client_certificate)|serviceaccount|node_authorizer)/;
    expect(
      [...upstream.keys()].filter((name) => access.test(name) && !elsewhere.test(name) && !ours.has(name)),
      "metrics of access that are missing",
    ).toEqual([]);
    expect(own, "metrics that kube-apiserver does not have").toEqual([]);
  });
});
