import type { QueuedPod } from "../framework/queued-pod.js";
import { errorStatus } from "../framework/status.js";
import { type Assignment, runBindingCycle } from "./binding-cycle.js";
import { handleFailure } from "./handle-failure.js";
import { createPodScheduler } from "./schedule-one.js";
import { failureOf } from "./schedule-result.js";
import type { SchedulerCore } from "./scheduler-core.js";

/** What a pod costs, apart from the nodes that were tried. */
const microsPerPod = 50;

/** Takes pods from the queue as long as `signal` allows; waits without a timer while there is none. */
export async function runScheduleLoop(core: SchedulerCore, signal: AbortSignal): Promise<void> {
  const { queue } = core;
  const { activity, scheduler } = core.runtime;
  const pods = createPodScheduler(core);

  /** A plugin that throws must not end scheduling: its pod is tried again after a while. */
  async function attempt(queued: QueuedPod): Promise<Assignment | undefined> {
    try {
      return await pods.schedule(queued);
    } catch (error) {
      core.inBackground(() => handleFailure(core, queued, failureOf(errorStatus("", error))));
      return undefined;
    }
  }

  while (!signal.aborted) {
    await queue.whenReady();
    activity.begin();
    try {
      for (let queued = queue.pop(); queued && !signal.aborted; queued = queue.pop()) {
        const assignment = await attempt(queued);
        if (assignment) core.inBackground((ending) => runBindingCycle(core, assignment, ending));
        const pause = scheduler.yield(microsPerPod);
        if (pause) await pause;
      }
    } finally {
      activity.end();
    }
  }
}
