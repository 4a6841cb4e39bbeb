import { systemRuntime, testRuntime } from "@coxswain/runtime";
import { createVirtualClock } from "@coxswain/runtime/clock";
import type { LeaseId, LeaseStore } from "@coxswain/storage";
import { createMemoryStore } from "@coxswain/storage/memory";
import { describe, expect, it } from "vitest";
import { storedKind } from "../catalogue/stored-kind.js";
import { startApiServer } from "../server/compose/api-server.js";
import { createInProcessClient } from "../server/in-process/in-process-client.js";
import { createSharedLeases } from "./shared-leases.js";

const [events, pods] = [storedKind("", "events"), storedKind("", "pods")];
const hour = 3_600_000;

/** Numbers its leases and notes how long each was to last. */
function countingLeases(): LeaseStore & { readonly granted: number[] } {
  const granted: number[] = [];
  return {
    granted,
    grant: (ttlMs) => Promise.resolve(granted.push(ttlMs) as LeaseId),
    keepAlive: () => Promise.resolve(true),
    revoke: () => Promise.resolve(1),
  };
}

describe("shared leases", () => {
  it("are the same for a minute, then others, and last that minute longer than the objects", async () => {
    const [leases, clock] = [countingLeases(), createVirtualClock()];
    const shared = createSharedLeases(leases, clock, { lifetimes: new Map([[events.storagePrefix, hour]]) });
    const first = await shared.leaseOf(events);
    await clock.advance(59_000);
    expect(await shared.leaseOf(events)).toBe(first);
    await clock.advance(1000);
    expect(await shared.leaseOf(events)).not.toBe(first);
    expect(leases.granted).toEqual([hour + 60_000, hour + 60_000]);
  });

  it("of short-lived objects are shared for a 20th of their time", async () => {
    const leases = countingLeases();
    await createSharedLeases(leases, createVirtualClock(), {
      lifetimes: new Map([[events.storagePrefix, 100_000]]),
    }).leaseOf(events);
    expect(leases.granted).toEqual([105_000]);
  });

  it("take so many objects and no more", async () => {
    const shared = createSharedLeases(countingLeases(), createVirtualClock(), {
      lifetimes: new Map([[events.storagePrefix, hour]]),
      mostObjects: 2,
    });
    expect([await shared.leaseOf(events), await shared.leaseOf(events), await shared.leaseOf(events)]).toEqual([
      1, 1, 2,
    ]);
  });

  it("are none for kinds that stay, and for a lifetime of 0", () => {
    const shared = createSharedLeases(countingLeases(), createVirtualClock(), {
      lifetimes: new Map([[events.storagePrefix, 0]]),
    });
    expect([shared.leaseOf(pods), shared.leaseOf(events)]).toEqual([undefined, undefined]);
  });

  it("that a store has forgotten are not given out again", async () => {
    const shared = createSharedLeases(countingLeases(), createVirtualClock(), {
      lifetimes: new Map([[events.storagePrefix, hour]]),
    });
    await shared.leaseOf(events);
    await shared.forget(events, 1);
    expect(await shared.leaseOf(events)).toBe(2);
  });

  it("that could not be had are asked for again", async () => {
    let attempts = 0;
    const leases = {
      ...countingLeases(),
      grant: (): Promise<LeaseId> => (attempts++ === 0 ? Promise.reject(new Error("away")) : Promise.resolve(7)),
    };
    const shared = createSharedLeases(leases, createVirtualClock(), {
      lifetimes: new Map([[events.storagePrefix, hour]]),
    });
    await expect(shared.leaseOf(events)).rejects.toThrow("away");
    expect(await shared.leaseOf(events)).toBe(7);
  });
});

describe("Events of a server", () => {
  async function start(leaseReuseMs: number) {
    const clock = createVirtualClock();
    const store = createMemoryStore({ runtime: systemRuntime({ clock }) });
    const server = await startApiServer({
      runtime: testRuntime(1, { clock, ioClock: clock }),
      store,
      events: { ttlMs: hour, leaseReuseMs },
    });
    const client = createInProcessClient(server, { user: { name: "admin", groups: ["system:masters"] } });
    const path = "/api/v1/namespaces/default/events";
    const make = (name: string): Promise<unknown> =>
      client.request({
        method: "POST",
        path,
        body: {
          apiVersion: "v1",
          kind: "Event",
          metadata: { name },
          involvedObject: { kind: "Pod", namespace: "default", name: "p" },
        },
      });
    const names = async (): Promise<string[]> =>
      ((await client.request({ method: "GET", path })) as { items: { metadata: { name: string } }[] }).items.map(
        ({ metadata }) => metadata.name,
      );
    return { clock, store, server, client, path, make, names };
  }

  it("go after their time; who writes one begins it anew, in either of its groups", async () => {
    const { clock, server, client, path, make, names } = await start(0);
    await make("old");
    await make("core");
    await make("new");
    await clock.advance(hour / 2);
    const labels = { metadata: { labels: { a: "b" } } };
    await client.request({
      method: "PATCH",
      path: `${path}/core`,
      headers: { "content-type": "application/merge-patch+json" },
      body: labels,
    });
    await client.request({
      method: "PATCH",
      path: "/apis/events.k8s.io/v1/namespaces/default/events/new",
      headers: { "content-type": "application/merge-patch+json" },
      body: labels,
    });
    await clock.advance(hour / 2 + 1000);
    expect(await names()).toEqual(["core", "new"]);
    await clock.advance(hour / 2);
    expect(await names()).toEqual([]);
    await server.stop();
  });

  it("are written with another lease when the store has lost the one they share", async () => {
    const { store, server, make, names } = await start(60_000);
    await make("a");
    for (const { lease } of (await store.range({ prefix: "/registry/events/" })).records)
      await store.leases.revoke(lease ?? 0);
    await make("b");
    expect(await names()).toEqual(["b"]);
    await server.stop();
  });
});
