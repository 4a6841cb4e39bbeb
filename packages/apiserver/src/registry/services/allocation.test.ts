import type { Service } from "@coxswain/api/core/v1";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { systemRuntime } from "@coxswain/runtime";
import type { KeyValueStore } from "@coxswain/storage";
import { createMemoryStore } from "@coxswain/storage/memory";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../../server/compose/api-server.js";
import { createInProcessClient, type InProcessClient } from "../../server/in-process/in-process-client.js";
import { portRecordKey } from "./port-record.js";

const services = "/api/v1/namespaces/default/services";
const addresses = "/apis/networking.k8s.io/v1/ipaddresses";

describe("what services hold", () => {
  let store: KeyValueStore;
  let server: ApiServer;
  let admin: InProcessClient;
  beforeAll(async () => {
    store = createMemoryStore({ runtime: systemRuntime() });
    server = await startApiServer({
      runtime: systemRuntime(),
      store,
      services: { clusterIpRanges: ["10.1.0.0/28", "fd00::/112"], nodePorts: { first: 30_000, last: 30_003 } },
    });
    admin = createInProcessClient(server, { user: { name: "admin", groups: ["system:masters"] } });
  });
  afterAll(() => server.stop());

  const create = (name: string, spec: Partial<Service["spec"]> = {}) =>
    admin.request({
      method: "POST",
      path: services,
      body: {
        apiVersion: "v1",
        kind: "Service",
        metadata: { name },
        spec: {
          type: "ClusterIP",
          sessionAffinity: "None",
          ports: [{ protocol: "TCP", port: 80, targetPort: 80 }],
          ...spec,
        },
      },
    }) as Promise<Service & KubernetesObject & { spec: NonNullable<Service["spec"]> }>;
  const remove = (name: string) => admin.request({ method: "DELETE", path: `${services}/${name}` });
  const held = async (): Promise<string[]> =>
    (
      (await admin.request({ method: "GET", path: addresses })) as {
        items: { metadata: { name: string }; spec: { parentRef: { name: string } } }[];
      }
    ).items
      .filter(({ spec }) => spec.parentRef.name !== "kubernetes")
      .map(({ metadata }) => metadata.name);
  const portBits = async (): Promise<unknown> =>
    JSON.parse(new TextDecoder().decode((await store.get(portRecordKey))?.value));

  it("an address, which goes back with the service", async () => {
    const { spec } = await create("a");
    expect(spec).toMatchObject({ ipFamilies: ["IPv4"], ipFamilyPolicy: "SingleStack", clusterIPs: [spec.clusterIP] });
    expect(await held()).toEqual([spec.clusterIP]);
    await remove("a");
    expect(await held()).toEqual([]);
  });

  it("two addresses, one of which goes back when it is to have one", async () => {
    const { spec } = await create("dual", { ipFamilyPolicy: "RequireDualStack" });
    expect(spec.ipFamilies).toEqual(["IPv4", "IPv6"]);
    expect(new Set(await held())).toEqual(new Set(spec.clusterIPs));
    await admin.request({
      method: "PATCH",
      path: `${services}/dual`,
      headers: { "content-type": "application/merge-patch+json" },
      body: { spec: { ipFamilyPolicy: "SingleStack" } },
    });
    expect(await held()).toEqual([spec.clusterIPs?.[0]]);
    await remove("dual");
  });

  it("no address twice, however many ask at once, and none that is not there", async () => {
    const made = await Promise.allSettled(Array.from({ length: 20 }, (_, i) => create(`many-${i}`)));
    const ips = made.flatMap((result) => (result.status === "fulfilled" ? [result.value.spec.clusterIP] : []));
    expect(new Set(ips).size).toBe(ips.length);
    expect(new Set(await held()).size).toBe(ips.length);
    const refused = made.find((result) => result.status === "rejected");
    expect(String(refused?.reason)).toMatch(/failed to allocate a serviceIP for Service "many-\d+": range is full/);
    await Promise.allSettled(made.map((_, i) => remove(`many-${i}`)));
    expect(await held()).toEqual([]);
  });

  it("node ports, as bits of a RangeAllocation", async () => {
    const { spec } = await create("np", { type: "NodePort", ports: [{ protocol: "TCP", port: 80, nodePort: 30_003 }] });
    expect(spec.ports?.[0]?.nodePort).toBe(30_003);
    expect(await portBits()).toMatchObject({
      kind: "RangeAllocation",
      apiVersion: "v1",
      range: "30000-30003",
      data: Buffer.from([8]).toString("base64"),
    });
    const made = await Promise.allSettled([0, 1, 2, 3].map((i) => create(`np-${i}`, { type: "NodePort" })));
    expect(
      made
        .filter(({ status }) => status === "rejected")
        .map((result) => String((result as PromiseRejectedResult).reason)),
    ).toEqual([expect.stringContaining("failed to allocate a nodePort: range is full")]);
    expect((await held()).length, "the service without a port holds no address").toBe(4);
    await Promise.allSettled(["np", "np-0", "np-1", "np-2", "np-3"].map(remove));
    expect(await portBits()).not.toHaveProperty("data", expect.stringMatching(/./));
  });

  it("nothing after a dry run", async () => {
    const made = (await admin.request({
      method: "POST",
      path: `${services}?dryRun=All`,
      body: {
        apiVersion: "v1",
        kind: "Service",
        metadata: { name: "dry" },
        spec: { type: "NodePort", ports: [{ protocol: "TCP", port: 80 }] },
      },
    })) as Service;
    expect(made.spec).toMatchObject({ clusterIP: "10.1.0.0", ports: [{ nodePort: 32_769 }] });
    expect(await held()).toEqual([]);
  });
});
