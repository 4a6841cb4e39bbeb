import type { Pod, PodStatus } from "@coxswain/api/core/v1";
import type { Activity, Clock, Timer } from "@coxswain/apimachinery/clock";
import { isConflict, isNotFound } from "@coxswain/apimachinery/status";
import { macrotask } from "@coxswain/apimachinery/wait";
import type { Client } from "@coxswain/client";
import type { Logger } from "@coxswain/component/log";
import { type CachedPod, isMirrorPod, isTerminalPhase, nameOf, namespaceOf, uidOf } from "../pod/cached-pod.js";
import { planStatusPatch } from "../pod/status-patch.js";

/** What a worker wants the API server to know of its pod. */
export interface StatusReport {
  readonly client: Client;
  /** The newest state of the pod that the worker has seen. */
  pod(): CachedPod;
  /** The status wanted; undefined: nothing to say. */
  wanted(): PodStatus | undefined;
  /** Everything of the pod is gone from the node: a pod that is being deleted may go. */
  isFinished(): boolean;
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
  stop(): Promise<void>;
}

export interface StatusWriterOptions {
  readonly clock: Clock;
  readonly activity: Activity;
  readonly log: Logger;
  /** How many writes are under way at once. @default 64 */
  readonly parallel?: number;
}

const retryMs = 1000;

export function createStatusWriter({ clock, activity, log, parallel = 64 }: StatusWriterOptions): StatusWriter {
  const waiting = new Set<StatusReport>();
  const busy = new Set<StatusReport>();
  const again = new Set<StatusReport>();
  const timers = new Set<Timer>();
  const ending = new AbortController();
  let running: Promise<void> | undefined;
  let writes = new Set<Promise<void>>();

  async function run(): Promise<void> {
    activity.begin();
    // What starts without delay settles first: one write says it all.
    await macrotask();
    for (let next = first(waiting); next !== undefined && !ending.signal.aborted; next = first(waiting)) {
      waiting.delete(next);
      start(next);
      if (busy.size >= parallel) await Promise.race(writes);
    }
    running = undefined;
    activity.end();
  }

  function start(report: StatusReport): void {
    busy.add(report);
    activity.begin();
    const write = carryOut(report).finally(() => {
      busy.delete(report);
      writes.delete(write);
      if (again.delete(report)) enqueue(report);
      activity.end();
    });
    writes.add(write);
  }

  async function carryOut(report: StatusReport): Promise<void> {
    try {
      await write(report, ending.signal);
    } catch (error) {
      if (ending.signal.aborted) return;
      log.debug("a pod's status was not written and comes again", { pod: nameOf(report.pod()), error });
      const timer = clock.setTimer(retryMs, () => {
        timers.delete(timer);
        enqueue(report);
      });
      timers.add(timer);
    }
  }

  function enqueue(report: StatusReport): void {
    if (ending.signal.aborted || report.isHeld()) return;
    if (busy.has(report)) return void again.add(report);
    waiting.add(report);
    running ??= run();
  }

  return {
    enqueue,
    async stop() {
      ending.abort();
      for (const timer of timers) timer.cancel();
      await running;
      await Promise.all(writes);
      writes = new Set();
    },
  };
}

const first = <T>(set: ReadonlySet<T>): T | undefined => set.values().next().value;

async function write(report: StatusReport, signal: AbortSignal): Promise<void> {
  const wanted = report.wanted();
  if (!wanted) return;
  const pods = report.client.core.v1.pods(namespaceOf(report.pod()));
  try {
    const patch = planStatusPatch(report.pod().status ?? {}, wanted);
    if (patch) {
      const strategic = { metadata: { uid: uidOf(report.pod()) }, status: patch };
      report.written(await pods.subresource<Pod>("status").patch(nameOf(report.pod()), { strategic }, { signal }));
    }
    const pod = report.pod();
    const mayGo = pod.metadata?.deletionTimestamp !== undefined && !isMirrorPod(pod);
    if (mayGo && report.isFinished() && isTerminalPhase(pod.status?.phase))
      await pods.delete(nameOf(pod), { gracePeriodSeconds: 0, preconditions: { uid: uidOf(pod) }, signal });
  } catch (error) {
    // Another pod has the name, or none.
    if (!isNotFound(error) && !(isConflict(error) && (await isGone(report, signal)))) throw error;
    report.vanished();
  }
}

async function isGone(report: StatusReport, signal: AbortSignal): Promise<boolean> {
  const pod = report.pod();
  try {
    const stored = await report.client.core.v1.pods(namespaceOf(pod)).get(nameOf(pod), { signal });
    return stored.metadata?.uid !== uidOf(pod);
  } catch (error) {
    if (isNotFound(error)) return true;
    throw error;
  }
}
