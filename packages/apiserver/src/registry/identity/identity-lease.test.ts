import { systemRuntime, testRuntime } from "@coxswain/runtime";
import { createVirtualClock } from "@coxswain/runtime/clock";
import { createMemoryStore } from "@coxswain/storage/memory";
import { describe, expect, it } from "vitest";
import { identityName } from "../../configuration/identity-name.js";
import { startApiServer } from "../../server/compose/api-server.js";
import { createInProcessClient } from "../../server/in-process/in-process-client.js";

const leases = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases";

describe("the identity of a server", () => {
  it("is the one that upstream gives to the same host", () =>
    expect(identityName("vm")).toBe("apiserver-wlv32tlttr4jl3gtroqexyxapa"));

  it("is renewed, and cleared away an hour after the last time", async () => {
    const clock = createVirtualClock();
    const store = createMemoryStore({ runtime: systemRuntime({ clock }) });
    const first = await startApiServer({
      runtime: testRuntime(1, { clock }),
      store,
      identity: { hostname: "a", peerAddress: "192.0.2.1:6443" },
    });
    const list = async (server = first) =>
      (await createInProcessClient(server, { user: { name: "admin", groups: ["system:masters"] } }).request({
        method: "GET",
        path: leases,
      })) as { items: { metadata: object; spec: object }[] };
    await clock.advance(10_000);
    expect((await list()).items).toEqual([
      expect.objectContaining({
        metadata: expect.objectContaining({
          name: identityName("a"),
          labels: { "apiserver.kubernetes.io/identity": "kube-apiserver", "kubernetes.io/hostname": "a" },
          annotations: { "kubernetes.io/peer-advertise-address": "192.0.2.1:6443" },
        }),
        spec: {
          holderIdentity: expect.stringContaining(`${identityName("a")}_`),
          leaseDurationSeconds: 3600,
          renewTime: "2024-01-01T00:00:10.000000Z",
        },
      }),
    ]);
    await first.stop();
    await clock.advance(3_700_000);
    const second = await startApiServer({ runtime: testRuntime(1, { clock }), store, identity: { hostname: "b" } });
    await clock.advance(0);
    await expect
      .poll(async () => (await list(second)).items.map(({ metadata }) => metadata))
      .toEqual([expect.objectContaining({ name: identityName("b") })]);
    await second.stop();
  });
});
