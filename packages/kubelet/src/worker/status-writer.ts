import type { Pod, PodStatus } from "@coxswain/api/core/v1";
import { isConflict, isNotFound } from "@coxswain/apimachinery/status";
import type { Client } from "@coxswain/client";
import { headerText, reasonHeader } from "@coxswain/client/work";
import type { Runtime } from "@coxswain/runtime";
import type { Timer } from "@coxswain/runtime/clock";
import { macrotask } from "@coxswain/runtime/event-loop";
import { type CachedPod, isMirrorPod, isTerminalPhase, nameOf, namespaceOf, uidOf } from "../objects/cached-pod.js";
import { endReason } from "../pod/end-reason.js";
import { planStatusPatch } from "../pod/status-patch.js";

/** What a worker wants the API server to know of its pod. */
export interface StatusReport {
  readonly client: Client;
  /** The newest state of the pod that the worker has seen. */
  pod(): CachedPod;
  /** The pod whose status is written, as it was last seen: of a static pod its mirror. Undefined: there is none yet. */
  stored(): CachedPod | undefined;
  /** The status wanted; undefined: nothing to write. */
  wanted(): PodStatus | undefined;
  /** Everything of the pod is gone from the node: a pod that is being deleted may go. */
  isFinished(): boolean;
  /** What the kubelet killed of it last and why, by the container's id at the runtime. */
  kills(): ReadonlyMap<string, string>;
  /** The pod as the server stored it. */
  written(pod: Pod): void;
  /** The server has no such pod any more. */
  vanished(): void;
  /** Reports wait while this holds: the node is cut off. */
  isHeld(): boolean;
}

/**
 * Writes the statuses of all pods of a process. A report that comes while its pod waits replaces the earlier one, so that
 * a pod which starts at once is written once. Failed writes come again.
 */
export interface StatusWriter {
  enqueue(report: StatusReport): void;
  /** Drops what waits, and waits for the writes under way. */
  stop(): Promise<void>;
}

export interface StatusWriterOptions {
  readonly runtime: Runtime;
  /** How many writes are under way at once. @default 64 */
  readonly parallel?: number;
  /** A status that changed so many milliseconds ago is stored. */
  onWritten?(ms: number): void;
}

const retryMs = 1000;

export function createStatusWriter({ runtime, parallel = 64, onWritten }: StatusWriterOptions): StatusWriter {
  const { clock, activity, log } = runtime;
  const waiting = new Set<StatusReport>();
  const busy = new Set<StatusReport>();
  /** Reports that changed while they were written. */
  const again = new Set<StatusReport>();
  const timers = new Set<Timer>();
  /** When they changed first since they were written. */
  const since = new Map<StatusReport, number>();
  let isStopped = false;
  let gathering = false;
  let onIdle: (() => void) | undefined;

  /** What starts without delay settles first: one write has it all. */
  async function gather(): Promise<void> {
    gathering = true;
    activity.begin();
    await macrotask();
    gathering = false;
    pump();
    activity.end();
  }

  function pump(): void {
    for (const report of waiting) {
      if (busy.size >= parallel || isStopped) break;
      waiting.delete(report);
      void carryOut(report);
    }
    if (busy.size === 0) onIdle?.();
  }

  async function carryOut(report: StatusReport): Promise<void> {
    busy.add(report);
    activity.begin();
    try {
      const changedAt = since.get(report) ?? clock.now();
      since.delete(report);
      if (await write(report)) onWritten?.(clock.now() - changedAt);
    } catch (error) {
      log.debug("a pod's status was not written and comes again", { pod: nameOf(report.pod()), error });
      if (!isStopped) retry(report);
    }
    busy.delete(report);
    if (again.delete(report)) enqueue(report);
    pump();
    activity.end();
  }

  function retry(report: StatusReport): void {
    const timer = clock.setTimer(retryMs, () => {
      timers.delete(timer);
      enqueue(report);
    });
    timers.add(timer);
  }

  function enqueue(report: StatusReport): void {
    if (isStopped || report.isHeld()) return;
    if (onWritten && !since.has(report)) since.set(report, clock.now());
    if (busy.has(report)) return void again.add(report);
    waiting.add(report);
    if (!gathering) void gather();
  }

  return {
    enqueue,
    async stop() {
      isStopped = true;
      for (const timer of timers) timer.cancel();
      if (busy.size > 0) await new Promise<void>((resolve) => (onIdle = resolve));
    },
  };
}

/** Whether there was something to write. */
async function write(report: StatusReport): Promise<boolean> {
  const wanted = report.wanted();
  const stored = report.stored();
  if (!wanted || !stored) return false;
  const pods = report.client.core.v1.pods(namespaceOf(stored));
  try {
    const patch = planStatusPatch(stored.status ?? {}, wanted);
    if (patch) {
      const strategic = { metadata: { uid: uidOf(stored) }, status: patch };
      const why = endReason(stored.status ?? {}, wanted, report.kills());
      const options = why === undefined ? {} : { headers: { [reasonHeader]: headerText(why) } };
      report.written(await pods.subresource<Pod>("status").patch(nameOf(stored), { strategic }, options));
    }
    const pod = report.stored() ?? stored;
    const mayGo = pod.metadata?.deletionTimestamp !== undefined && !isMirrorPod(pod);
    if (mayGo && report.isFinished() && isTerminalPhase(pod.status?.phase))
      await pods.delete(nameOf(pod), { gracePeriodSeconds: 0, preconditions: { uid: uidOf(pod) } });
    return patch !== undefined;
  } catch (error) {
    // Another pod has the name, or none.
    if (!isNotFound(error) && !(isConflict(error) && (await isGone(report)))) throw error;
    report.vanished();
    return false;
  }
}

async function isGone(report: StatusReport): Promise<boolean> {
  const pod = report.stored() ?? report.pod();
  try {
    const stored = await report.client.core.v1.pods(namespaceOf(pod)).get(nameOf(pod));
    return stored.metadata?.uid !== uidOf(pod);
  } catch (error) {
    if (isNotFound(error)) return true;
    throw error;
  }
}
