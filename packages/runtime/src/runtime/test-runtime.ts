import { createVirtualClock, systemClock, type VirtualClock } from "../clock/index.js";
import { silentLogger } from "../log/index.js";
import { noMetrics } from "../metrics/index.js";
import { createSeededRandom } from "../random/index.js";
import { estimatedTime, TaskScheduler } from "../scheduler/index.js";
import type { Runtime } from "./runtime.js";

/** A runtime whose time a test moves. */
export interface TestRuntime extends Runtime {
  readonly clock: VirtualClock;
}

/** A virtual clock, seeded randomness and estimated time slices: two runs with one seed do the same in the same order. */
export function testRuntime(seed: number, given: Partial<TestRuntime> = {}): TestRuntime {
  const clock = given.clock ?? createVirtualClock();
  return {
    clock,
    ioClock: systemClock,
    random: createSeededRandom(seed),
    log: silentLogger,
    activity: clock.activity,
    metrics: noMetrics,
    scheduler: new TaskScheduler({ time: estimatedTime(), activity: clock.activity }),
    ...given,
  };
}
