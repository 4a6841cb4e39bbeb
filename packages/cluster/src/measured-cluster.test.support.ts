import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { testRuntime } from "@coxswain/runtime";
import type { VirtualClock } from "@coxswain/runtime/clock";
import { macrotask } from "@coxswain/runtime/event-loop";
import { createMemoryStore } from "@coxswain/storage/memory";
import { clusterFeatureGates } from "./cluster-feature-gates.js";
import { type Cluster, startCluster } from "./start-cluster.js";

/** A cluster on a virtual clock whose heap is measured. */
export interface MeasuredCluster {
  readonly clock: VirtualClock;
  readonly client: Cluster["client"];
  /** In bytes, after everything that nobody holds was collected. */
  heapUsed(): Promise<number>;
  stop(): Promise<void>;
}

export async function startMeasuredCluster({ nodes }: { readonly nodes: number }): Promise<MeasuredCluster> {
  const runtime = testRuntime(1);
  const { clock } = runtime;
  const store = createMemoryStore({ runtime, compaction: {} });
  const cluster = await startCluster({
    runtime,
    featureGates: clusterFeatureGates(),
    // Seats are held for some milliseconds after a write; in time that stands still that would be for ever.
    apiServer: { store, limits: { priorityAndFairness: false } },
    nodes,
  });
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  return {
    clock,
    client: cluster.client,
    async heapUsed() {
      for (let time = 0; time < 3; time++) {
        collect();
        await macrotask();
      }
      return process.memoryUsage().heapUsed;
    },
    async stop() {
      await cluster.stop();
      await store.close();
    },
  };
}
