import type { Clock, Timer } from "@coxswain/runtime/clock";
import { createHeap } from "@coxswain/client/stores";
import { type ClusterEvent, eventMatches, events, isWildcard } from "../framework/cluster-event.js";
import { podChanges } from "../framework/object-changes.js";
import type { Plugin } from "../framework/plugin.js";
import type { QueuedPod } from "../framework/queued-pod.js";
import { objectKey, type Pod, schedulerNameOf, uidOf } from "../pod/objects.js";
import { PodInfo } from "../pod/pod-info.js";
import { createBackoffQueue } from "./backoff-queue.js";
import { createInFlight } from "./in-flight.js";
import { createNominator, type Nomination } from "./nominator.js";
import type { QueueingHints, Requeue } from "./queueing-hints.js";
import { createUnschedulablePods } from "./unschedulable-pods.js";

/**
 * The pods that wait for a node. Each is in one of three places: *active* (to be tried, by priority), *backing off* (to be tried
 * after a while, or before when nothing else is to do), or *unschedulable* (until something happens that may help). A pod that
 * was taken is *in flight* until `done` or `addUnschedulable`.
 */
export interface SchedulingQueue {
  add(pod: Pod): void;
  update(old: Pod, pod: Pod): void;
  delete(pod: Pod): void;
  /** Takes the next pod, if there is one. */
  pop(): QueuedPod | undefined;
  /** Resolves once `pop` may answer a pod, or the queue has stopped. */
  whenReady(): Promise<void>;
  /** The attempt is over and did not fail, or the pod is gone. */
  done(uid: string): void;
  /** The attempt failed. What happened meanwhile decides where the pod goes. */
  addUnschedulable(pod: QueuedPod): void;
  /** Tries pods that wait, whatever they wait for; by namespace/name. */
  activate(pods: ReadonlyMap<string, Pod>): void;
  /** Something happened: pods that it may help are tried again. `concerns` leaves pods out. */
  moveAll(happened: Happened, concerns?: (pod: Pod) => boolean): void;
  /** Whether an event could matter: some pod is unschedulable or in flight. */
  readonly isListening: boolean;
  addNominated(pod: PodInfo, nomination: Nomination): void;
  deleteNominated(uid: string): void;
  nominatedPods(nodeName: string): readonly PodInfo[];
  readonly sizes: { active: number; backoff: number; unschedulable: number; gated: number };
  stop(): void;
}

export interface Happened {
  readonly event: ClusterEvent;
  /** The state before; undefined when something was added. */
  readonly old?: unknown;
  /** The state after; undefined when something was deleted. */
  readonly object?: unknown;
}

export interface SchedulingQueueOptions {
  readonly clock: Clock;
  less(a: QueuedPod, b: QueuedPod): boolean;
  readonly hints: QueueingHints;
  /** The PreEnqueue plugins of a scheduler's name. */
  preEnqueue(schedulerName: string): readonly Plugin[];
  /** The pod as the cache of pods has it, by namespace/name. */
  currentPod(key: string): Pod | undefined;
  readonly initialBackoffMs: number;
  readonly maxBackoffMs: number;
  /** How long a pod is unschedulable before it is tried again in any case. */
  readonly maxUnschedulableMs: number;
  /** Whether pods that back off are tried when nothing else is to do. */
  readonly popFromBackoff: boolean;
  onIncoming?(queue: "active" | "backoff" | "unschedulable", event: string): void;
}

/** How often pods that waited for too long are looked for. */
const flushPeriodMs = 30_000;
const scheduleAttemptFailure = "ScheduleAttemptFailure";
const noPods: readonly PodInfo[] = [];

export function createSchedulingQueue(options: SchedulingQueueOptions): SchedulingQueue {
  const { clock, hints, less, onIncoming = () => {} } = options;
  const active = createHeap((pod: QueuedPod) => pod.key, less);
  const backoff = createBackoffQueue({
    clock,
    initialMs: options.initialBackoffMs,
    maxMs: options.maxBackoffMs,
    less,
    onDue() {
      for (const pod of backoff.takeDue()) toActive(pod, "BackoffComplete", true);
    },
  });
  const waiting = createUnschedulablePods();
  const inFlight = createInFlight();
  const nominator = createNominator(options);
  let wake: (() => void) | undefined;
  let flushTimer: Timer | undefined;
  let stopped = false;
  let lastStamp = 0;

  /** Grows even where the clock stands still: pods of one priority are tried in the order in which they came. */
  function stamp(): number {
    lastStamp = Math.max(clock.now(), lastStamp + 0.001);
    return lastStamp;
  }

  const ready = (): boolean => active.size > 0 || (options.popFromBackoff && backoff.earlySize > 0);

  function notify(): void {
    if (!ready() && !stopped) return;
    wake?.();
    wake = undefined;
  }

  function newPod(pod: Pod): QueuedPod {
    return {
      info: new PodInfo(pod),
      key: objectKey(pod),
      timestamp: stamp(),
      attempts: 0,
      backoffExpiration: 0,
      unschedulableCount: 0,
      consecutiveErrors: 0,
      flushedAt: 0,
      wasFlushed: false,
      initialAttemptAt: undefined,
      unschedulablePlugins: new Set(),
      pendingPlugins: new Set(),
      gatingPlugin: "",
      gatingEvents: [],
    };
  }

  /** Asks the PreEnqueue plugins, the one that refused last time first. Answers whether the pod may be tried. */
  function mayEnter(pod: QueuedPod): boolean {
    const plugins = options.preEnqueue(schedulerNameOf(pod.info.pod));
    const gating = plugins.find(({ name }) => name === pod.gatingPlugin);
    for (const plugin of gating ? [gating, ...plugins.filter((other) => other !== gating)] : plugins) {
      if (plugin.preEnqueue?.(pod.info.pod) === undefined) continue;
      pod.unschedulablePlugins.add(plugin.name);
      pod.gatingPlugin = plugin.name;
      pod.gatingEvents = hints.eventsOf(plugin.name);
      return false;
    }
    pod.gatingPlugin = "";
    return true;
  }

  function toUnschedulable(pod: QueuedPod, event: string): void {
    if (waiting.get(pod.key) === undefined) onIncoming("unschedulable", event);
    waiting.add(pod);
    armFlush();
  }

  function keepGated(pod: QueuedPod, event: string): void {
    pod.wasFlushed = false;
    toUnschedulable(pod, event);
  }

  function toActive(pod: QueuedPod, event: string, fromBackoff: boolean): boolean {
    // A pod that backs off has passed the PreEnqueue plugins on its way there.
    if (!(fromBackoff && options.popFromBackoff) && !mayEnter(pod)) {
      if (!active.get(pod.key) && !backoff.get(pod.key)) keepGated(pod, event);
      return false;
    }
    pod.initialAttemptAt ??= clock.now();
    waiting.delete(pod.key);
    backoff.delete(pod.key);
    active.add(pod);
    onIncoming("active", event);
    if (event === events.unscheduledPodAdd.label || event === events.unscheduledPodUpdate.label)
      nominator.add(pod.info, undefined);
    notify();
    return true;
  }

  function toBackoff(pod: QueuedPod, event: string): boolean {
    if (options.popFromBackoff && !mayEnter(pod)) {
      keepGated(pod, event);
      return false;
    }
    waiting.delete(pod.key);
    backoff.add(pod);
    onIncoming("backoff", event);
    notify();
    return true;
  }

  /** Answers whether the pod left the unschedulable ones. */
  function requeue(pod: QueuedPod, verdict: Requeue, event: string): boolean {
    if (verdict === "skip") {
      toUnschedulable(pod, event);
      return false;
    }
    return verdict === "after-backoff" && backoff.isBackingOff(pod)
      ? toBackoff(pod, event)
      : toActive(pod, event, false);
  }

  function move(pods: readonly QueuedPod[], happened: Happened): void {
    const { event, old, object } = happened;
    for (const pod of pods) {
      if (pod.gatingPlugin !== "" && !isWildcard(event) && !pod.gatingEvents.some((e) => eventMatches(e, event)))
        continue;
      const verdict = hints.judge(pod, { event, old, object });
      if (verdict === "skip") continue;
      waiting.delete(pod.key);
      requeue(pod, verdict, event.label);
    }
    inFlight.record({ event, old, object });
  }

  const flushDueAt = (pod: QueuedPod): number => Math.max(pod.timestamp, pod.flushedAt) + options.maxUnschedulableMs;

  /** One timer, for the pod that has waited for longest; none while no pod waits. */
  function armFlush(): void {
    if (flushTimer !== undefined || waiting.size === 0 || stopped) return;
    let due = Number.POSITIVE_INFINITY;
    for (const pod of waiting.list()) due = Math.min(due, flushDueAt(pod));
    flushTimer = clock.setTimer(Math.max(due - clock.now(), flushPeriodMs), () => {
      flushTimer = undefined;
      const now = clock.now();
      const late = waiting.list().filter((pod) => flushDueAt(pod) <= now);
      for (const pod of late) {
        pod.wasFlushed = true;
        pod.flushedAt = now;
      }
      if (late.length > 0) move(late, { event: events.unschedulableTimeout });
      armFlush();
    });
  }

  function judgeMissedEvents(pod: QueuedPod): Requeue {
    if (pod.unschedulablePlugins.size === 0 && pod.pendingPlugins.size === 0) return "after-backoff";
    let verdict: Requeue = "skip";
    for (const happened of inFlight.eventsSince(pod.info.uid) ?? []) {
      const judged = hints.judge(pod, happened);
      if (judged === "immediately") return judged;
      if (judged === "after-backoff") verdict = judged;
      if (verdict === "after-backoff" && pod.pendingPlugins.size === 0) break;
    }
    return verdict;
  }

  const find = (key: string): QueuedPod | undefined => active.get(key) ?? waiting.get(key) ?? backoff.get(key);

  return {
    add(pod) {
      toActive(newPod(pod), events.unscheduledPodAdd.label, false);
    },
    update(old, pod) {
      const changes = podChanges(old, pod);
      if (inFlight.has(uidOf(pod))) {
        for (const event of changes) inFlight.record({ event, old, object: pod });
        return;
      }
      const queued = find(objectKey(old));
      if (queued === undefined) {
        toActive(newPod(pod), events.unscheduledPodUpdate.label, false);
        return;
      }
      queued.info = new PodInfo(pod);
      nominator.update(old, queued.info);
      if (active.get(queued.key)) active.add(queued);
      else if (backoff.get(queued.key)) backoff.update(queued);
      else
        for (const event of changes)
          if (requeue(queued, hints.judge(queued, { event, old, object: pod }), event.label)) break;
    },
    delete(pod) {
      const key = objectKey(pod);
      nominator.delete(uidOf(pod));
      if (!active.delete(key) && !backoff.delete(key)) waiting.delete(key);
    },
    pop() {
      const pod = active.pop() ?? (options.popFromBackoff ? backoff.popEarly() : undefined);
      if (pod === undefined) return undefined;
      pod.attempts++;
      inFlight.begin(pod.info.uid);
      return pod;
    },
    async whenReady() {
      if (!ready() && !stopped)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    },
    done: (uid) => inFlight.done(uid),
    addUnschedulable(pod) {
      const verdict = judgeMissedEvents(pod);
      inFlight.done(pod.info.uid);
      if (find(pod.key)) return;
      if (pod.unschedulablePlugins.size === 0 && pod.pendingPlugins.size === 0) pod.consecutiveErrors++;
      else {
        pod.unschedulableCount++;
        pod.consecutiveErrors = 0;
      }
      pod.timestamp = stamp();
      pod.backoffExpiration = 0;
      pod.wasFlushed = false;
      pod.flushedAt = 0;
      requeue(pod, verdict, scheduleAttemptFailure);
    },
    activate(pods) {
      for (const [key, pod] of pods) {
        const queued = waiting.get(key) ?? backoff.get(key);
        const fromBackoff = backoff.delete(key);
        if (queued && toActive(queued, "ForceActivate", fromBackoff)) continue;
        if (inFlight.has(uidOf(pod))) inFlight.record({ event: events.forceActivate, old: undefined, object: pod });
      }
    },
    moveAll(happened, concerns) {
      if (!hints.isOfInterest(happened.event)) return;
      const awaiting = isWildcard(happened.event)
        ? waiting.list()
        : waiting.refusedBy(hints.pluginsAwaiting(happened.event));
      move(concerns ? awaiting.filter(({ info }) => concerns(info.pod)) : awaiting, happened);
    },
    get isListening() {
      return waiting.size > 0 || inFlight.size > 0;
    },
    addNominated: (pod, nomination) => nominator.add(pod, nomination),
    deleteNominated: (uid) => nominator.delete(uid),
    nominatedPods(nodeName) {
      if (nominator.size === 0) return noPods;
      return nominator.keysOn(nodeName).flatMap((key) => find(key)?.info ?? []);
    },
    get sizes() {
      const { gated } = waiting;
      return { active: active.size, backoff: backoff.size, unschedulable: waiting.size - gated, gated };
    },
    stop() {
      stopped = true;
      backoff.stop();
      flushTimer?.cancel();
      notify();
    },
  };
}
