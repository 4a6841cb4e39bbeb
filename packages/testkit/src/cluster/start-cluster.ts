import { openCluster } from "./open-cluster.js";
import { defaultStart, newSeed, type StartClusterOptions } from "./start-options.js";
import type { TestCluster } from "./test-cluster.js";

/** Starts a cluster in this process; it takes some hundredths of a second once the code is warm. */
export async function startCluster(options: StartClusterOptions = {}): Promise<TestCluster> {
  const { seed = newSeed(), startMs = defaultStart } = options;
  return (await openCluster(options, { seed, startMs })).cluster;
}
