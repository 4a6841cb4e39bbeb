import { printFailure } from "../report/report-failure.js";
import { startCluster } from "./start-cluster.js";
import type { StartClusterOptions } from "./start-options.js";
import type { TestCluster } from "./test-cluster.js";

/**
 * A test on a cluster of its own, for every test runner: `it("…", withCluster(async (cluster) => { … }))`.
 * When it fails, the seed, the command that repeats it and the path of a timeline are printed. The cluster is stopped.
 */
export const withCluster =
  (test: (cluster: TestCluster) => void | Promise<void>, options: StartClusterOptions = {}) =>
  async (): Promise<void> => {
    const cluster = await startCluster(options);
    try {
      await test(cluster);
    } catch (error) {
      printFailure({ variables: `COXSWAIN_SEED=${cluster.seed}`, timeline: () => cluster.timeline() });
      throw error;
    } finally {
      await cluster.stop({ isReported: true });
    }
  };
