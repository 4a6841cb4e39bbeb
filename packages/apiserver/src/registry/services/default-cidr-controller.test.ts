import { systemRuntime, testRuntime } from "@coxswain/runtime";
import { createVirtualClock } from "@coxswain/runtime/clock";
import { createMemoryStore } from "@coxswain/storage/memory";
import { describe, expect, it } from "vitest";
import { startApiServer } from "../../server/compose/api-server.js";
import { createInProcessClient } from "../../server/in-process/in-process-client.js";

interface Cidr {
  metadata: { uid: string };
  spec: { cidrs: string[] };
  status?: { conditions?: { type: string; status: string }[] };
}

describe("the ServiceCIDR of the server's flags", () => {
  const path = "/apis/networking.k8s.io/v1/servicecidrs/kubernetes";
  const clock = createVirtualClock();
  async function start(store: ReturnType<typeof createMemoryStore>, ...clusterIpRanges: string[]) {
    const server = await startApiServer({
      runtime: testRuntime(1, { clock, ioClock: clock }),
      store,
      services: { clusterIpRanges },
    });
    const client = createInProcessClient(server, { user: { name: "admin", groups: ["system:masters"] } });
    await clock.settle();
    return {
      server,
      request: (method: string, where = path, body?: unknown): Promise<unknown> =>
        client.request({ method, path: where, ...(body !== undefined && { body }) }),
    };
  }

  it("is made again when it was deleted", async () => {
    const { server, request } = await start(createMemoryStore({ runtime: systemRuntime({ clock }) }), "10.0.0.0/24");
    const before = (await request("GET")) as Cidr;
    await request("DELETE");
    await clock.settle();
    const after = (await request("GET")) as Cidr;
    expect(after).toMatchObject({
      spec: { cidrs: ["10.0.0.0/24"] },
      status: { conditions: [{ type: "Ready", status: "True" }] },
    });
    expect(after.metadata.uid).not.toBe(before.metadata.uid);
    await server.stop();
  });

  it("is widened by a server with a second address family, which gives out its addresses", async () => {
    const store = createMemoryStore({ runtime: systemRuntime({ clock }) });
    await (await start(store, "10.0.0.0/24")).server.stop();
    const { server, request } = await start(store, "10.0.0.0/24", "fd00::/112");
    expect(await request("GET")).toMatchObject({ spec: { cidrs: ["10.0.0.0/24", "fd00::/112"] } });
    const made = await request("POST", "/api/v1/namespaces/default/services", {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "a" },
      spec: { ports: [{ port: 80 }], ipFamilyPolicy: "RequireDualStack" },
    });
    expect(made).toMatchObject({ spec: { ipFamilies: ["IPv4", "IPv6"] } });
    await server.stop();
  });

  it("of other flags stays, and one event reports it", async () => {
    const store = createMemoryStore({ runtime: systemRuntime({ clock }) });
    await (await start(store, "10.0.0.0/24")).server.stop();
    const { server, request } = await start(store, "10.5.0.0/24");
    expect(await request("GET")).toMatchObject({ spec: { cidrs: ["10.0.0.0/24"] } });
    const { items } = (await request("GET", "/api/v1/namespaces/default/events")) as { items: unknown[] };
    expect(items).toMatchObject([
      {
        reason: "KubernetesDefaultServiceCIDRInconsistent",
        message:
          "The default ServiceCIDR [10.0.0.0/24] does not match the controller flag configurations [10.5.0.0/24]",
        source: { component: "kubernetes-service-cidr-controller" },
        count: 1,
      },
    ]);
    await server.stop();
  });

  it("becomes ready when it has no Ready condition", async () => {
    const { server, request } = await start(createMemoryStore({ runtime: systemRuntime({ clock }) }), "10.0.0.0/24");
    const cidr = (await request("GET")) as Cidr;
    await request("PUT", `${path}/status`, { ...cidr, status: {} });
    await clock.settle();
    expect(await request("GET")).toMatchObject({ status: { conditions: [{ type: "Ready", status: "True" }] } });
    await server.stop();
  });
});
