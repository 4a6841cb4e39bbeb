import { noActivity } from "../activity/index.js";
import { systemClock } from "../clock/index.js";
import { silentLogger } from "../log/index.js";
import { noMetrics } from "../metrics/index.js";
import { systemRandom } from "../random/index.js";
import { measuredTime, TaskScheduler } from "../scheduler/index.js";
import type { Runtime } from "./runtime.js";

/** Everything that runs by real time in this process shares its event loop, and so one scheduler. */
const scheduler = new TaskScheduler({ time: measuredTime(systemClock), activity: noActivity });

/** The platform's time and randomness; lines and metrics go nowhere unless they are given. */
export const systemRuntime = (given: Partial<Runtime> = {}): Runtime => ({
  clock: systemClock,
  ioClock: systemClock,
  random: systemRandom,
  log: silentLogger,
  activity: noActivity,
  metrics: noMetrics,
  scheduler,
  ...given,
});
