import type { JobSpec } from "@coxswain/api/batch/v1";
import { testRuntime } from "@coxswain/runtime";
import { macrotask } from "@coxswain/runtime/event-loop";
import type { KeyValueStore } from "@coxswain/storage";
import { createMemoryStore } from "@coxswain/storage/memory";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clusterFeatureGates } from "./cluster-feature-gates.js";
import { type Cluster, startCluster } from "./start-cluster.js";

const many = 200;
/** A slice of 5 ms has 17 requests by the scheduler's estimate, and what was begun goes on. Without turns it was a batch of the store, 100. */
const mostWrites = 40;
/** Of the garbage collector's 20 workers and others; without turns it was 30. */
const mostDeletions = 20;

const jobOf = (pods: number): JobSpec => ({
  parallelism: pods,
  completions: pods,
  template: { spec: { restartPolicy: "Never", containers: [{ name: "main", image: "task:1" }] } },
});

/** Counts, of the writes that reach a store, most that fell into one iteration of the event loop. */
function countWrites(store: KeyValueStore) {
  let [now, most] = [0, 0];
  const counted = new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return (...args: unknown[]): unknown => {
        if (name === "put" || name === "delete" || name === "transaction") most = Math.max(most, ++now);
        return (member as (...args: unknown[]) => unknown).apply(target, args);
      };
    },
  });
  return {
    store: counted,
    async during(work: () => Promise<void>): Promise<number> {
      const done = new AbortController();
      const watching = (async () => {
        for (; !done.signal.aborted; now = 0) await macrotask();
      })();
      [now, most] = [0, 0];
      await work();
      done.abort();
      await watching;
      return most;
    },
  };
}

describe("controllers that have much to do let others run in between", { timeout: 120_000 }, () => {
  const runtime = testRuntime(1);
  const { clock } = runtime;
  const memory = createMemoryStore({ runtime });
  const { store, during } = countWrites(memory);
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster({
      runtime,
      featureGates: clusterFeatureGates(),
      apiServer: { store, limits: { priorityAndFairness: false } },
    });
  }, 60_000);
  afterAll(async () => {
    await cluster.stop();
    await memory.close();
  });

  const podCount = async (): Promise<number> => (await cluster.client.core.v1.pods("default").list()).items.length;

  it("when a Job gets its pods", async () => {
    const most = await during(async () => {
      await cluster.client.batch.v1.jobs("default").create({ metadata: { name: "large" }, spec: jobOf(many) });
      await clock.advance(10_000);
    });
    expect(await podCount()).toBe(many);
    expect(most).toBeLessThan(mostWrites);
  });

  it("when a Job of many pods is deleted", async () => {
    const most = await during(async () => {
      await cluster.client.batch.v1.jobs("default").delete("large", { propagationPolicy: "Background" });
      await clock.advance(10_000);
    });
    expect(await podCount()).toBe(0);
    expect(most).toBeLessThan(mostDeletions);
  });

  it("when many CronJobs are due at once", async () => {
    for (let at = 0; at < many; at++)
      await cluster.client.batch.v1.cronjobs("default").create({
        metadata: { name: `c${at}` },
        spec: { schedule: "* * * * *", jobTemplate: { spec: jobOf(1) } },
      });
    const most = await during(() => clock.advance(61_000));
    expect((await cluster.client.batch.v1.jobs("default").list()).items.length).toBe(many);
    expect(most).toBeLessThan(mostWrites);
  });
});
