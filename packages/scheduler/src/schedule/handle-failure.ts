import type { QueuedPod } from "../framework/queued-pod.js";
import { PodInfo } from "../pod/pod-info.js";
import { patchPodStatus } from "../pod/pod-status.js";
import type { ScheduleFailure } from "./schedule-result.js";
import type { SchedulerCore } from "./scheduler-core.js";

/** The largest note that an event may have, in bytes. */
const noteLimit = 1024;

/** Puts the pod back where it waits for its next try, and reports why: by an event and the condition PodScheduled. */
export async function handleFailure(core: SchedulerCore, queued: QueuedPod, failure: ScheduleFailure): Promise<void> {
  const { queue } = core;
  const { log } = core.runtime;
  const { diagnosis, message, nomination, reason } = failure;
  queued.unschedulablePlugins = new Set(diagnosis?.unschedulablePlugins);
  queued.pendingPlugins = new Set(diagnosis?.pendingPlugins);
  queued.gatingPlugin = "";
  queued.gatingEvents = [];
  const { uid } = queued.info;
  const current = core.currentPod(queued.key);
  if (current === undefined || current.spec?.nodeName) {
    // It was deleted, or somebody else has bound it.
    queue.done(uid);
  } else if (current.metadata?.uid !== uid) {
    // It was deleted, and created again under its name: the new pod is in the queue by itself.
    queue.done(uid);
    return;
  } else {
    queued.info = current === queued.info.pod ? queued.info : new PodInfo(current);
    queue.addUnschedulable(queued);
  }
  queue.addNominated(queued.info, nomination);
  const { pod } = queued.info;
  core.event(pod, { type: "Warning", reason: "FailedScheduling", action: "Scheduling", note: truncate(message) });
  if (reason === "SchedulerError")
    log.warn("a pod could not be scheduled and is retried", { pod: queued.key, message });
  try {
    await patchPodStatus(
      pod,
      {
        condition: { type: "PodScheduled", status: "False", reason, message },
        ...(nomination && { nominatedNodeName: nomination.nodeName }),
        ...(failure.byNode && { reason: failure.byNode }),
      },
      core,
    );
  } catch (error) {
    // The pod is tried again anyway, and its condition written then.
    log.debug("the condition of a pod could not be written", { pod: queued.key, error });
  }
}

const truncate = (message: string): string =>
  message.length <= noteLimit ? message : `${message.slice(0, noteLimit - 4)} ...`;
