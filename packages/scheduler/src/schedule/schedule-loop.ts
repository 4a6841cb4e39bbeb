import { runBindingCycle } from "./binding-cycle.js";
import { createPodScheduler } from "./schedule-one.js";
import type { SchedulerCore } from "./scheduler-core.js";

/** Takes pods from the queue as long as `signal` allows; waits without a timer while there is none. */
export async function runScheduleLoop(core: SchedulerCore, signal: AbortSignal): Promise<void> {
  const { queue, activity, turn } = core;
  const scheduler = createPodScheduler(core);
  while (!signal.aborted) {
    await queue.whenReady();
    activity.begin();
    try {
      for (let queued = queue.pop(); queued && !signal.aborted; queued = queue.pop()) {
        const assignment = await scheduler.schedule(queued);
        if (assignment) core.inBackground((ending) => runBindingCycle(core, assignment, ending));
        // A pod costs about as much as ten nodes besides those that were tried.
        const pause = turn.spend(10);
        if (pause) await pause;
      }
    } finally {
      activity.end();
    }
  }
}
