import { type Activity, noActivity } from "../activity/index.js";
import { estimatedTime, type Scheduler, TaskScheduler } from "../scheduler/index.js";
import type { Runtime } from "./runtime.js";
import { systemRuntime } from "./system-runtime.js";

/** Whatever lives by one virtual clock shares one scheduler. */
const estimated = new WeakMap<Activity, Scheduler>();

/**
 * A runtime from its parts, for callers that are not given a whole one yet. Where the clock is virtual, slices are estimated: real
 * time must not decide an order there.
 */
export function runtimeFrom(parts: Partial<Runtime> & Pick<Runtime, "clock">): Runtime {
  const { activity = noActivity, clock } = parts;
  const counted = activity === noActivity ? clock.activity : activity;
  if (parts.scheduler || !counted) return systemRuntime(parts);
  let scheduler = estimated.get(counted);
  if (!scheduler) {
    scheduler = new TaskScheduler({ time: estimatedTime(), activity: counted });
    estimated.set(counted, scheduler);
  }
  return systemRuntime({ ...parts, scheduler });
}
