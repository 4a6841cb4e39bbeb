import type { ConfigMap } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import type { Client } from "@coxswain/client";
import { noActivity } from "@coxswain/runtime/activity";
import { exploreSchedules, type ProgramWorld, startCluster, type TestCluster } from "@coxswain/testkit";
import { describe, expect, it } from "vitest";
import {
  builtIn,
  type ClusterAccess,
  createManager,
  createOrPatch,
  ensureFinalizer,
  type Manager,
  patchStatus,
} from "../index.js";

const { configmaps, services } = builtIn.core.v1;

const run = (cluster: TestCluster, name: string, setUp: (manager: Manager) => void, isElected = false) =>
  cluster.run(name, (client, world) => {
    const leaderElection = { id: "op", namespace: "default", identity: name };
    const manager = createManager({ client, ...world, ...(isElected && { leaderElection }) });
    setUp(manager);
    void manager.start().catch(() => {}); // a killed replica has nobody to report to
    return manager;
  });

/** Counts how often `spec` changed, in the object itself: an increment that is lost or done twice shows. */
const countChanges = (manager: Manager): void =>
  void manager
    .controller("counter")
    .for(configmaps, { predicates: [({ object }) => object.metadata?.labels?.["count"] === "yes"] })
    .reconcile(async (request, context) => {
      const map = await context.get(configmaps, request);
      if (map === undefined || map.data?.["seen"] === map.data?.["wanted"]) return;
      await createOrPatch(
        context,
        configmaps,
        request,
        (copy: ConfigMap) => {
          const counted = Number(copy.data?.["counted"] ?? 0) + 1;
          copy.data = { ...copy.data, seen: copy.data?.["wanted"] ?? "", counted: String(counted) };
        },
        { from: [] },
      );
    });

describe("an operator never writes over a newer change", () => {
  it("restarted, killed, with late events and lost answers", async () => {
    await exploreSchedules(
      async (cluster) => {
        const maps = cluster.client.core.v1.configmaps("default");
        await run(cluster, "counter", countChanges);
        await maps.create({ metadata: { name: "a", labels: { count: "yes" } }, data: { wanted: "1" } });
        await cluster.clock.advance("1m");
        await maps.patch("a", { merge: { data: { wanted: "2" } } });
        await cluster.clock.advance("1m");
        expect((await maps.get("a")).data).toEqual({ wanted: "2", seen: "2", counted: "2" });
      },
      { seed: 4, runs: 20 },
    );
  }, 300_000);

  it("with a stale cache: the write fails, and the next one sees the change", async () => {
    const cluster = await startCluster({ seed: 1, nodes: 0, controllers: [] });
    const maps = cluster.client.core.v1.configmaps("default");
    await maps.create({ metadata: { name: "a" }, data: { owner: "nobody" } });
    const errors: string[] = [];
    let first = true;
    await run(cluster, "op", (manager) => {
      manager
        .controller("op")
        .for(configmaps, { predicates: [({ object }) => object.metadata?.name === "a"] })
        .reconcile(async (request, context) => {
          const map = await context.get(configmaps, request);
          if (map?.data?.["owner"] !== "nobody") return;
          // A person is faster than the cache.
          if (first) await maps.patch("a", { merge: { data: { owner: "somebody" } } });
          first = false;
          const copy = { ...map, data: { owner: "operator" } } as unknown as ConfigMap;
          await context
            .resource(configmaps, request.namespace)
            .update(copy)
            .catch((error: { status: { reason: string } }) => errors.push(error.status.reason));
        });
    });
    await cluster.clock.advance("10s");
    expect(errors).toEqual(["Conflict"]);
    expect((await maps.get("a")).data).toEqual({ owner: "somebody" });
    await cluster.stop();
  });

  it("a status is patched only in the version that was read", async () => {
    const cluster = await startCluster({ seed: 1, nodes: 0, controllers: [] });
    const own = cluster.client.core.v1.services("default");
    await own.create({ metadata: { name: "s" }, spec: { type: "LoadBalancer", ports: [{ port: 80 }] } });
    const manager = createManager({ client: cluster.client });
    const access = manager.access("test");
    const read = await own.get("s");
    await own.patch("s", { merge: { metadata: { labels: { newer: "yes" } } } });
    const status = { loadBalancer: { ingress: [{ ip: "192.0.2.1" }] } };
    await expect(patchStatus(access, services, read, status)).rejects.toThrow("the object has been modified");
    const written = await patchStatus(access, services, await own.get("s"), status);
    expect(written.status).toMatchObject({ loadBalancer: { ingress: [{ ip: "192.0.2.1" }] } });
    expect(await patchStatus(access, services, written, written.status as typeof status)).toBe(written);
    await cluster.stop();
  });
});

describe("with a cache that a silent watch leaves behind", () => {
  type Read = DeepReadonly<ConfigMap>;
  const name = { namespace: "default", name: "a" };
  const mine = { owner: "operator" };
  const rows: { name: string; kept: boolean; write(access: ClusterAccess, read: Read): Promise<unknown> }[] = [
    {
      name: "an update of what was read is a conflict",
      kept: true,
      write: (access, read) =>
        access.resource(configmaps, "default").update({ ...read, data: mine } as unknown as ConfigMap),
    },
    {
      name: "createOrPatch is a conflict",
      kept: true,
      write: (access) => createOrPatch(access, configmaps, name, (map) => void (map.data = mine), { from: [] }),
    },
    {
      name: "a finalizer is a conflict",
      kept: true,
      write: (access, read) => ensureFinalizer(access, configmaps, read, "example.com/f"),
    },
    {
      name: "an update that leaves the version out is not sent",
      kept: true,
      write: (access) => access.resource(configmaps, "default").update({ metadata: name, data: mine }),
    },
    {
      name: "what these guards are for: a patch without a version does replace the newer change",
      kept: false,
      write: (access) => access.resource(configmaps, "default").patch("a", { merge: { data: mine } }),
    },
  ];
  for (const row of rows)
    it(row.name, async () => {
      const cluster = await startCluster({ seed: 1, nodes: 0, controllers: [] });
      const maps = cluster.client.core.v1.configmaps("default");
      await maps.create({ metadata: name, data: { owner: "nobody" } });
      const storm = cluster.storm();
      let manager: Manager | undefined;
      const setUp = (client: Client, world: ProgramWorld): Manager => {
        manager = createManager({ client, ...world });
        void manager.start();
        return manager;
      };
      await cluster.run("op", setUp, { through: storm.through });
      await cluster.settle();
      const access = (manager as unknown as Manager).access("op");
      await access.get(configmaps, name);
      storm.strike("silent");
      await maps.patch("a", { merge: { data: { owner: "somebody" } } });
      await cluster.clock.advance("10s");
      const read = await access.get(configmaps, name);
      expect(read?.data).toEqual({ owner: "nobody" }); // stale, as planted
      const outcome = await row.write(access, read as Read).catch((error: Error) => error);
      expect(outcome instanceof Error).toBe(row.kept);
      expect((await maps.get("a")).data).toEqual(row.kept ? { owner: "somebody" } : mine);
      if (row.kept) expect((await maps.get("a")).metadata?.finalizers).toBeUndefined();
      await cluster.stop();
    });
});

describe("two replicas", () => {
  it("never reconcile at once, while the leader is cut off and comes back", async () => {
    const cluster = await startCluster({ seed: 5, nodes: 0, controllers: [] });
    const { client, clock, faults } = cluster;
    const log: { replica: string; from: number; to: number }[] = [];
    const active = new Set<string>();
    let most = 0;
    const setUp = (replica: string) => (manager: Manager) =>
      void manager
        .controller("op")
        .for(configmaps, { predicates: [({ object }) => object.metadata?.name === "a"] })
        .reconcile(async (_, context) => {
          const from = clock.now();
          active.add(replica);
          most = Math.max(most, active.size);
          await context.live.get(configmaps, { namespace: "default", name: "a" }).catch(() => undefined);
          active.delete(replica);
          log.push({ replica, from, to: clock.now() });
          return { requeueAfterMs: 1000 };
        });
    await client.core.v1.configmaps("default").create({ metadata: { name: "a" } });
    const first = await run(cluster, "first", setUp("first"), true);
    await cluster.settle();
    await run(cluster, "second", setUp("second"), true);
    await clock.advance("20s");
    expect(new Set(log.map(({ replica }) => replica))).toEqual(new Set(["first"]));

    const cutOff = faults.add({ fault: "partition", user: /first/ });
    await clock.advance("1m");
    const lastOfFirst = log.findLast(({ replica }) => replica === "first")?.to ?? 0;
    const firstOfSecond = log.find(({ replica }) => replica === "second")?.from ?? 0;
    expect(firstOfSecond).toBeGreaterThan(lastOfFirst);
    cutOff();
    await first.crash(); // as its pod is started again
    await clock.advance("1m");
    expect(log.findLast(({ from }) => from > firstOfSecond)?.replica).toBe("second");
    expect(most).toBe(1);
    await cluster.stop();
  });

  it("a leader that lost its lease while it reconciles cannot write any more", async () => {
    const cluster = await startCluster({ seed: 6, nodes: 0, controllers: [] });
    const { client, clock, faults } = cluster;
    let outcome: unknown;
    let go = (): void => {};
    const paused = new Promise<void>((resolve) => (go = resolve));
    await client.core.v1.configmaps("default").create({ metadata: { name: "a" } });
    const program = await cluster.run("op", (own, { runtime }) => {
      const leaderElection = { id: "op", namespace: "default", identity: "op" };
      // Without `activity`: the clock goes on while the reconciler hangs.
      const manager = createManager({ client: own, runtime: { ...runtime, activity: noActivity }, leaderElection });
      manager
        .controller("op")
        .for(configmaps, { predicates: [({ object }) => object.metadata?.name === "a"] })
        .reconcile(async (request, context) => {
          await paused;
          const maps = context.resource(configmaps, request.namespace);
          outcome = await maps.patch("a", { merge: { data: { late: "yes" } } }).catch((error: unknown) => error);
        });
      void manager.start().catch(() => {}); // reports that leadership was lost
      return manager;
    });
    await clock.advance("5s");
    faults.add({ fault: "partition", user: /op/, resource: "leases" });
    await clock.advance("1m");
    go();
    await cluster.settle();
    expect(String(outcome)).toContain("leadership of default/op was lost");
    expect((await client.core.v1.configmaps("default").get("a")).data).toBeUndefined();
    await program.stop();
    await cluster.stop();
  });
});
