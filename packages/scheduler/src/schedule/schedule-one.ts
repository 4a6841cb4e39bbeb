import { createCycle } from "../framework/cycle.js";
import type { ExtensionPointTimer } from "../framework/extension-point-timer.js";
import type { QueuedPod } from "../framework/queued-pod.js";
import { runPermit, runReserve, runUnreserve } from "../framework/run-reserve.js";
import { isRejected, type Status } from "../framework/status.js";
import { schedulerNameOf } from "../pod/objects.js";
import { type Assignment, refusedOn } from "./binding-cycle.js";
import { handleFailure } from "./handle-failure.js";
import { schedulePod } from "./schedule-pod.js";
import { failureOf, type ScheduleFailure } from "./schedule-result.js";
import type { SchedulerCore } from "./scheduler-core.js";
import { timerOf } from "./timer-of.js";

/** Schedules pods one after the other. */
export interface PodScheduler {
  /** Finds a node for the pod and reserves it there. Undefined: it failed, and was put back into the queue. */
  schedule(queued: QueuedPod): Promise<Assignment | undefined>;
}

export function createPodScheduler(core: SchedulerCore): PodScheduler {
  const { cache, queue, metrics } = core;
  const { clock } = core.runtime;
  /** Each pod begins behind the nodes that the one before tried, so that all nodes have their turn. */
  let nextStart = 0;

  function fail(queued: QueuedPod, failure: ScheduleFailure, began: number): undefined {
    const result = failure.reason === "Unschedulable" ? "unschedulable" : "error";
    metrics.attempt(result, schedulerNameOf(queued.info.pod), (clock.monotonic() - began) / 1000);
    core.inBackground(() => handleFailure(core, queued, failure));
  }

  function shallSkip({ info: { pod, uid }, key }: QueuedPod): boolean {
    if (pod.metadata?.deletionTimestamp !== undefined) {
      core.event(pod, {
        type: "Warning",
        reason: "FailedScheduling",
        action: "Scheduling",
        note: `skip schedule deleting pod: ${key}`,
      });
      return true;
    }
    return cache.isAssumed(uid);
  }

  return {
    async schedule(queued) {
      const { info } = queued;
      const profile = core.profiles.get(schedulerNameOf(info.pod));
      if (profile === undefined || shallSkip(queued)) {
        queue.done(info.uid);
        return undefined;
      }
      const beganAt = clock.monotonic();
      const timer = timerOf(core, profile);
      const snapshot = cache.snapshot();
      const cycle = createCycle(info, snapshot, queue.nominatedPods);
      const placement = await schedulePod(profile, cycle, { ...core, startIndex: nextStart, timer });
      if (snapshot.nodes.length > 0) nextStart = (nextStart + placement.tried) % snapshot.nodes.length;
      metrics.algorithm((clock.monotonic() - beganAt) / 1000);
      if (placement.kind === "failed") return fail(queued, placement.failure, beganAt);
      const { nodeName } = placement;
      const assignment: Assignment = { queued, cycle, profile, nodeName, beganAt };
      cache.assume(info, nodeName);
      queue.deleteNominated(info.uid);
      const reserving = timer.now();
      const unreserved = runReserve(profile, cycle, nodeName);
      timer.observe("Reserve", reserving, unreserved);
      const refused = unreserved ?? permit(assignment, timer);
      if (refused) {
        const unreserving = timer.now();
        runUnreserve(profile, cycle, nodeName);
        timer.observe("Unreserve", unreserving);
        cache.forget(info.uid);
        return fail(queued, isRejected(refused) ? refusedOn(assignment, refused) : failureOf(refused), beganAt);
      }
      if (cycle.podsToActivate.size > 0) {
        queue.activate(cycle.podsToActivate);
        cycle.podsToActivate.clear();
      }
      return assignment;
    },
  };

  function permit({ profile, cycle, nodeName }: Assignment, timer: ExtensionPointTimer): Status | undefined {
    const began = timer.now();
    const { status, waits } = runPermit(profile, cycle, nodeName);
    timer.observe("Permit", began, status);
    if (status === undefined && waits.size > 0) core.waitingPods.add(cycle.pod.pod, waits);
    return status;
  }
}
