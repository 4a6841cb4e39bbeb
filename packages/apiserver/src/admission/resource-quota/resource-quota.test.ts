import { systemRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage/memory";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../../server/compose/api-server.js";
import { createInProcessClient, type InProcessClient } from "../../server/in-process/in-process-client.js";

interface Quota {
  status: { used: Record<string, string> };
}

const quotas = "/api/v1/namespaces/default/resourcequotas";
const configMaps = "/api/v1/namespaces/default/configmaps";

describe("quotas", () => {
  let server: ApiServer;
  let admin: InProcessClient;
  beforeAll(async () => {
    server = await startApiServer({ runtime: systemRuntime(), store: createMemoryStore({ runtime: systemRuntime() }) });
    admin = createInProcessClient(server, { user: { name: "admin", groups: ["system:masters"] } });
  });
  afterAll(() => server.stop());

  async function makeQuota(
    name: string,
    hard: Record<string, string>,
    used: Record<string, string>,
    spec: object = {},
  ): Promise<void> {
    const quota = (await admin.request({
      method: "POST",
      path: quotas,
      body: { apiVersion: "v1", kind: "ResourceQuota", metadata: { name }, spec: { hard, ...spec } },
    })) as object;
    await admin.request({
      method: "PUT",
      path: `${quotas}/${name}/status`,
      body: { ...quota, status: { hard, used } },
    });
  }
  const usedOf = async (name: string): Promise<Record<string, string>> =>
    ((await admin.request({ method: "GET", path: `${quotas}/${name}` })) as Quota).status.used;
  const create = (name: string): Promise<unknown> =>
    admin.request({
      method: "POST",
      path: configMaps,
      body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name } },
    });

  it("let exactly as many racing requests through as there is room for, whatever else writes them", async () => {
    await makeQuota("racing", { configmaps: "5", "count/secrets": "9" }, { configmaps: "0", "count/secrets": "0" });
    await makeQuota("beside", { "count/configmaps": "100" }, { "count/configmaps": "40" });
    const annotate = (i: number) =>
      admin.request({
        method: "PATCH",
        path: `${quotas}/racing`,
        headers: { "content-type": "application/merge-patch+json" },
        body: { metadata: { annotations: { at: String(i) } } },
      });
    const answers = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) => (i % 7 === 3 ? annotate(i).then(() => create(`c${i}`)) : create(`c${i}`))),
    );
    const refused = answers
      .filter((answer) => answer.status === "rejected")
      .map(({ reason }) => (reason as Error).message.replace(/c\d+/, "c"));
    expect(refused).toEqual(
      Array.from(
        { length: 15 },
        () =>
          'configmaps "c" is forbidden: exceeded quota: racing, requested: configmaps=1, used: configmaps=5, limited: configmaps=5',
      ),
    );
    expect(await usedOf("racing")).toEqual({ configmaps: "5", "count/secrets": "0" });
    expect(await usedOf("beside")).toEqual({ "count/configmaps": "45" });
  });

  it("charge a service whose address was taken in between only once", async () => {
    await makeQuota("services", { services: "10" }, { services: "0" });
    const service = (name: string) =>
      admin.request({
        method: "POST",
        path: "/api/v1/namespaces/default/services",
        body: { apiVersion: "v1", kind: "Service", metadata: { name }, spec: { ports: [{ port: 1 }], clusterIP: "" } },
      });
    await Promise.all(["a", "b", "c", "d", "e"].map(service));
    expect(await usedOf("services")).toEqual({ services: "5" });
  });
});
