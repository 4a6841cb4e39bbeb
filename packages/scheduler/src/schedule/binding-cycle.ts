import { bindByExtender } from "../extender/run-extenders.js";
import { events } from "../framework/cluster-event.js";
import type { Cycle } from "../framework/cycle.js";
import { addPluginStatus, createDiagnosis, fitMessage } from "../framework/diagnosis.js";
import type { Profile } from "../framework/profile.js";
import type { QueuedPod } from "../framework/queued-pod.js";
import { planPreBind, runBind, runPreBind } from "../framework/run-bind.js";
import { runUnreserve } from "../framework/run-reserve.js";
import { errorStatus, isRejected, type Status } from "../framework/status.js";
import { patchPodStatus } from "../pod/pod-status.js";
import { handleFailure } from "./handle-failure.js";
import { clearNomination, failureOf, type ScheduleFailure } from "./schedule-result.js";
import type { SchedulerCore } from "./scheduler-core.js";
import { timerOf } from "./timer-of.js";

/** A pod on its way to its node. */
export interface Assignment {
  readonly queued: QueuedPod;
  readonly cycle: Cycle;
  readonly profile: Profile;
  readonly nodeName: string;
  /** When the attempt began, on the monotonic clock. */
  readonly beganAt: number;
}

/** Waits for Permit plugins, runs PreBind plugins and binds; beside the scheduling of further pods. */
export async function runBindingCycle(core: SchedulerCore, assignment: Assignment, signal: AbortSignal): Promise<void> {
  const status = await bindAssigned(core, assignment, signal);
  if (status && !signal.aborted) await giveUp(core, assignment, status);
}

async function bindAssigned(
  core: SchedulerCore,
  assignment: Assignment,
  signal: AbortSignal,
): Promise<Status | undefined> {
  const { queue, metrics } = core;
  const { clock } = core.runtime;
  const { queued, cycle, profile, nodeName, beganAt } = assignment;
  const { pod, uid } = cycle.pod;
  const timer = timerOf(core, profile);
  const plan = planPreBind(profile, cycle, nodeName);
  if (plan.failure) return plan.failure;
  const willWork = plan.groups.length > 0;
  if (core.nominateBeforeBinding && (willWork || core.waitingPods.get(uid))) await nominate(core, assignment);
  const refusal = await permitted();
  if (refusal) return refusal;
  queue.done(uid);
  const preBound = willWork ? await preBind() : undefined;
  if (preBound) return preBound;
  const bound = await bind();
  if (bound) return bound;
  core.event(pod, {
    type: "Normal",
    reason: "Scheduled",
    action: "Binding",
    note: `Successfully assigned ${queued.key} to ${nodeName}`,
  });
  metrics.attempt("scheduled", profile.schedulerName, (clock.monotonic() - beganAt) / 1000);
  metrics.scheduled(queued.attempts, (clock.now() - (queued.initialAttemptAt ?? clock.now())) / 1000);
  const posting = timer.now();
  for (const plugin of profile.plugins.postBind) plugin.postBind?.(cycle, nodeName);
  timer.observe("PostBind", posting);
  if (cycle.podsToActivate.size > 0) queue.activate(cycle.podsToActivate);
  return undefined;

  /** A pod that waits for others is not under way. */
  async function permitted(): Promise<Status | undefined> {
    const waiting = core.waitingPods.get(uid);
    if (waiting === undefined) return undefined;
    const end = (): void => void waiting.reject("", "the scheduler stops");
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
    core.runtime.activity.end();
    const status = await core.waitingPods.wait(uid);
    core.runtime.activity.begin();
    signal.removeEventListener("abort", end);
    return status;
  }

  async function preBind(): Promise<Status | undefined> {
    const ending = new AbortController();
    const end = (): void => ending.abort(signal.reason);
    signal.addEventListener("abort", end);
    core.bindingPods.add(uid, (reason) => ending.abort(reason));
    try {
      const began = timer.now();
      const status = await runPreBind(plan, cycle, { nodeName, signal: ending.signal });
      timer.observe("PreBind", began, status);
      if (status) return status;
      return core.bindingPods.mark(uid) ? undefined : errorStatus("", ending.signal.reason);
    } finally {
      signal.removeEventListener("abort", end);
      core.bindingPods.delete(uid);
    }
  }

  async function bind(): Promise<Status | undefined> {
    try {
      if (core.extenders.length > 0 && (await bindByExtender(core.extenders, pod, nodeName))) return undefined;
    } catch (error) {
      return errorStatus("", error);
    }
    const began = timer.now();
    const status = await runBind(profile, cycle, { nodeName, signal });
    timer.observe("Bind", began, status);
    return status;
  }
}

async function nominate(core: SchedulerCore, { queued, nodeName }: Assignment): Promise<void> {
  try {
    await patchPodStatus(queued.info.pod, { nominatedNodeName: nodeName }, core);
  } catch (error) {
    // Only the event for others has less: autoscalers read it.
    core.runtime.log.debug("the nominated node of a pod could not be written", { pod: queued.key, error });
  }
}

/** Takes everything back, and lets other pods use what becomes free. */
async function giveUp(core: SchedulerCore, assignment: Assignment, status: Status): Promise<void> {
  const { queue, cache, metrics } = core;
  const { clock } = core.runtime;
  const { queued, cycle, profile, nodeName, beganAt } = assignment;
  const { pod, uid } = cycle.pod;
  const timer = timerOf(core, profile);
  const unreserving = timer.now();
  runUnreserve(profile, cycle, nodeName);
  timer.observe("Unreserve", unreserving);
  cache.forget(uid);
  const freed = { event: events.assignedPodDelete, old: { ...pod, spec: { ...pod.spec, nodeName } } };
  const rejected = isRejected(status);
  // The pod itself must not be woken by its own failure when it was refused; after an error it may.
  if (!rejected) queue.moveAll(freed);
  const failing = handleFailure(core, queued, rejected ? refusedOn(assignment, status) : failureOf(status));
  if (rejected) queue.moveAll(freed, (other) => other.metadata?.uid !== uid);
  metrics.attempt(rejected ? "unschedulable" : "error", profile.schedulerName, (clock.monotonic() - beganAt) / 1000);
  await failing;
}

/** A refusal that came after the node was chosen is about that node alone. */
export function refusedOn({ nodeName }: Pick<Assignment, "nodeName">, status: Status): ScheduleFailure {
  const diagnosis = createDiagnosis();
  diagnosis.statuses.set(nodeName, status);
  addPluginStatus(diagnosis, status);
  return {
    reason: "Unschedulable",
    message: fitMessage(diagnosis, 1),
    diagnosis,
    nomination: clearNomination,
  };
}
