import { systemRuntime, testRuntime } from "@coxswain/runtime";
import { createVirtualClock } from "@coxswain/runtime/clock";
import { createMemoryStore } from "@coxswain/storage/memory";
import { describe, expect, it } from "vitest";
import { startApiServer } from "../../server/compose/api-server.js";
import { createInProcessClient } from "../../server/in-process/in-process-client.js";

describe("what the server needs and somebody deleted", () => {
  async function start() {
    const clock = createVirtualClock();
    const server = await startApiServer({
      runtime: testRuntime(1, { clock, ioClock: clock }),
      store: createMemoryStore({ runtime: systemRuntime({ clock }) }),
      services: { clusterIpRanges: ["10.0.0.0/24"] },
      endpoint: { address: "192.0.2.1", port: 6443 },
    });
    const client = createInProcessClient(server, { user: { name: "admin", groups: ["system:masters"] } });
    const request = (method: string, path: string, body?: unknown): Promise<unknown> =>
      client.request({ method, path, ...(body !== undefined && { body }) });
    return { clock, server, request };
  }
  const paths = {
    service: "/api/v1/namespaces/default/services/kubernetes",
    endpoints: "/api/v1/namespaces/default/endpoints/kubernetes",
    slice: "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes",
  };

  for (const [name, path] of Object.entries(paths)) {
    it(`the ${name} of kubernetes is made again`, async () => {
      const { clock, server, request } = await start();
      await request("DELETE", path);
      await clock.settle();
      for (const there of Object.values(paths))
        expect(await request("GET", there)).toMatchObject({ metadata: { name: "kubernetes" } });
      expect(await request("GET", "/apis/networking.k8s.io/v1/ipaddresses/10.0.0.1")).toMatchObject({
        spec: { parentRef: { name: "kubernetes" } },
      });
      await server.stop();
    });
  }

  it("a namespace of the system is made again once it is gone", async () => {
    const { clock, server, request } = await start();
    const path = "/api/v1/namespaces/kube-node-lease";
    const { metadata } = (await request("DELETE", path)) as { metadata: { uid: string } };
    await clock.settle();
    expect(await request("GET", path)).toMatchObject({ status: { phase: "Terminating" } });
    await request("PUT", `${path}/finalize`, { metadata: { name: "kube-node-lease" }, spec: { finalizers: [] } });
    await clock.settle();
    const after = (await request("GET", path)) as { metadata: { uid: string }; status: { phase: string } };
    expect(after.status.phase).toBe("Active");
    expect(after.metadata.uid).not.toBe(metadata.uid);
    await server.stop();
  });
});
