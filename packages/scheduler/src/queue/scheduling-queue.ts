import { createHeap } from "@coxswain/client/stores";
import type { Clock, Timer } from "@coxswain/runtime/clock";
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

export const createSchedulingQueue = (options: SchedulingQueueOptions): SchedulingQueue => new Queue(options);

class Queue implements SchedulingQueue {
  readonly #options: SchedulingQueueOptions;
  readonly #active: ReturnType<typeof createHeap<QueuedPod, string>>;
  readonly #backoff: ReturnType<typeof createBackoffQueue>;
  readonly #waiting = createUnschedulablePods();
  readonly #inFlight = createInFlight();
  readonly #nominator: ReturnType<typeof createNominator>;
  #wake: (() => void) | undefined;
  #flushTimer: Timer | undefined;
  #stopped = false;
  #lastStamp = 0;

  constructor(options: SchedulingQueueOptions) {
    const { clock, less } = options;
    this.#options = options;
    this.#active = createHeap((pod: QueuedPod) => pod.key, less);
    this.#nominator = createNominator(options);
    this.#backoff = createBackoffQueue({
      clock,
      initialMs: options.initialBackoffMs,
      maxMs: options.maxBackoffMs,
      less,
      onDue: () => {
        for (const pod of this.#backoff.takeDue()) this.#toActive(pod, "BackoffComplete", true);
      },
    });
  }

  add(pod: Pod): void {
    this.#toActive(newPod(pod, this.#stamp()), events.unscheduledPodAdd.label, false);
  }

  update(old: Pod, pod: Pod): void {
    const changes = podChanges(old, pod);
    if (this.#inFlight.has(uidOf(pod))) {
      for (const event of changes) this.#inFlight.record({ event, old, object: pod });
      return;
    }
    const queued = this.#find(objectKey(old));
    if (queued === undefined) {
      this.#toActive(newPod(pod, this.#stamp()), events.unscheduledPodUpdate.label, false);
      return;
    }
    queued.info = new PodInfo(pod);
    this.#nominator.update(old, queued.info);
    if (this.#active.get(queued.key)) this.#active.add(queued);
    else if (this.#backoff.get(queued.key)) this.#backoff.update(queued);
    else
      for (const event of changes)
        if (this.#requeue(queued, this.#options.hints.requeueOf(queued, { event, old, object: pod }), event.label))
          break;
  }

  delete(pod: Pod): void {
    const key = objectKey(pod);
    this.#nominator.delete(uidOf(pod));
    if (!this.#active.delete(key) && !this.#backoff.delete(key)) this.#waiting.delete(key);
  }

  pop(): QueuedPod | undefined {
    const pod = this.#active.pop() ?? (this.#options.popFromBackoff ? this.#backoff.popEarly() : undefined);
    if (pod === undefined) return undefined;
    pod.attempts++;
    this.#inFlight.begin(pod.info.uid);
    return pod;
  }

  async whenReady(): Promise<void> {
    if (!this.#ready() && !this.#stopped)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
  }

  done(uid: string): void {
    this.#inFlight.done(uid);
  }

  addUnschedulable(pod: QueuedPod): void {
    const verdict = this.#requeueByMissedEvents(pod);
    this.#inFlight.done(pod.info.uid);
    if (this.#find(pod.key)) return;
    if (pod.unschedulablePlugins.size === 0 && pod.pendingPlugins.size === 0) pod.consecutiveErrors++;
    else {
      pod.unschedulableCount++;
      pod.consecutiveErrors = 0;
    }
    pod.timestamp = this.#stamp();
    pod.backoffExpiration = 0;
    pod.wasFlushed = false;
    pod.flushedAt = 0;
    this.#requeue(pod, verdict, scheduleAttemptFailure);
  }

  activate(pods: ReadonlyMap<string, Pod>): void {
    for (const [key, pod] of pods) {
      const queued = this.#waiting.get(key) ?? this.#backoff.get(key);
      const fromBackoff = this.#backoff.delete(key);
      if (queued && this.#toActive(queued, "ForceActivate", fromBackoff)) continue;
      if (this.#inFlight.has(uidOf(pod)))
        this.#inFlight.record({ event: events.forceActivate, old: undefined, object: pod });
    }
  }

  moveAll(happened: Happened, concerns?: (pod: Pod) => boolean): void {
    if (!this.#options.hints.isOfInterest(happened.event)) return;
    const awaiting = isWildcard(happened.event)
      ? this.#waiting.list()
      : this.#waiting.refusedBy(this.#options.hints.pluginsAwaiting(happened.event));
    this.#move(concerns ? awaiting.filter(({ info }) => concerns(info.pod)) : awaiting, happened);
  }

  get isListening(): boolean {
    return this.#waiting.size > 0 || this.#inFlight.size > 0;
  }

  addNominated(pod: PodInfo, nomination: Nomination): void {
    this.#nominator.add(pod, nomination);
  }

  deleteNominated(uid: string): void {
    this.#nominator.delete(uid);
  }

  /** A property: it is handed on by itself. */
  readonly nominatedPods = (nodeName: string): readonly PodInfo[] => {
    if (this.#nominator.size === 0) return noPods;
    return this.#nominator.keysOn(nodeName).flatMap((key) => this.#find(key)?.info ?? []);
  };

  get sizes(): SchedulingQueue["sizes"] {
    const { gated } = this.#waiting;
    return { active: this.#active.size, backoff: this.#backoff.size, unschedulable: this.#waiting.size - gated, gated };
  }

  stop(): void {
    this.#stopped = true;
    this.#backoff.stop();
    this.#flushTimer?.cancel();
    this.#notify();
  }

  /** Grows even where the clock stands still: pods of one priority are tried in the order in which they came. */
  #stamp(): number {
    this.#lastStamp = Math.max(this.#options.clock.now(), this.#lastStamp + 0.001);
    return this.#lastStamp;
  }

  #notify(): void {
    if (!this.#ready() && !this.#stopped) return;
    this.#wake?.();
    this.#wake = undefined;
  }

  /** Asks the PreEnqueue plugins, the one that refused last time first. Answers whether the pod may be tried. */
  #mayEnter(pod: QueuedPod): boolean {
    const plugins = this.#options.preEnqueue(schedulerNameOf(pod.info.pod));
    const gating = plugins.find(({ name }) => name === pod.gatingPlugin);
    for (const plugin of gating ? [gating, ...plugins.filter((other) => other !== gating)] : plugins) {
      if (plugin.preEnqueue?.(pod.info.pod) === undefined) continue;
      pod.unschedulablePlugins.add(plugin.name);
      pod.gatingPlugin = plugin.name;
      pod.gatingEvents = this.#options.hints.eventsOf(plugin.name);
      return false;
    }
    pod.gatingPlugin = "";
    return true;
  }

  #toUnschedulable(pod: QueuedPod, event: string): void {
    if (this.#waiting.get(pod.key) === undefined) this.#options.onIncoming?.("unschedulable", event);
    this.#waiting.add(pod);
    this.#armFlush();
  }

  #keepGated(pod: QueuedPod, event: string): void {
    pod.wasFlushed = false;
    this.#toUnschedulable(pod, event);
  }

  #toActive(pod: QueuedPod, event: string, fromBackoff: boolean): boolean {
    // A pod that backs off has passed the PreEnqueue plugins on its way there.
    if (!(fromBackoff && this.#options.popFromBackoff) && !this.#mayEnter(pod)) {
      if (!this.#active.get(pod.key) && !this.#backoff.get(pod.key)) this.#keepGated(pod, event);
      return false;
    }
    pod.initialAttemptAt ??= this.#options.clock.now();
    this.#waiting.delete(pod.key);
    this.#backoff.delete(pod.key);
    this.#active.add(pod);
    this.#options.onIncoming?.("active", event);
    if (event === events.unscheduledPodAdd.label || event === events.unscheduledPodUpdate.label)
      this.#nominator.add(pod.info, undefined);
    this.#notify();
    return true;
  }

  #toBackoff(pod: QueuedPod, event: string): boolean {
    if (this.#options.popFromBackoff && !this.#mayEnter(pod)) {
      this.#keepGated(pod, event);
      return false;
    }
    this.#waiting.delete(pod.key);
    this.#backoff.add(pod);
    this.#options.onIncoming?.("backoff", event);
    this.#notify();
    return true;
  }

  /** Answers whether the pod left the unschedulable ones. */
  #requeue(pod: QueuedPod, verdict: Requeue, event: string): boolean {
    if (verdict === "skip") {
      this.#toUnschedulable(pod, event);
      return false;
    }
    return verdict === "after-backoff" && this.#backoff.isBackingOff(pod)
      ? this.#toBackoff(pod, event)
      : this.#toActive(pod, event, false);
  }

  #move(pods: readonly QueuedPod[], happened: Happened): void {
    const { event, old, object } = happened;
    for (const pod of pods) {
      if (pod.gatingPlugin !== "" && !isWildcard(event) && !pod.gatingEvents.some((e) => eventMatches(e, event)))
        continue;
      const verdict = this.#options.hints.requeueOf(pod, { event, old, object });
      if (verdict === "skip") continue;
      this.#waiting.delete(pod.key);
      this.#requeue(pod, verdict, event.label);
    }
    this.#inFlight.record({ event, old, object });
  }

  /** One timer, for the pod that has waited for longest; none while no pod waits. */
  #armFlush(): void {
    if (this.#flushTimer !== undefined || this.#waiting.size === 0 || this.#stopped) return;
    let due = Number.POSITIVE_INFINITY;
    for (const pod of this.#waiting.list()) due = Math.min(due, this.#flushDueAt(pod));
    this.#flushTimer = this.#options.clock.setTimer(Math.max(due - this.#options.clock.now(), flushPeriodMs), () => {
      this.#flushTimer = undefined;
      const now = this.#options.clock.now();
      const late = this.#waiting.list().filter((pod) => this.#flushDueAt(pod) <= now);
      for (const pod of late) {
        pod.wasFlushed = true;
        pod.flushedAt = now;
      }
      if (late.length > 0) this.#move(late, { event: events.unschedulableTimeout });
      this.#armFlush();
    });
  }

  #requeueByMissedEvents(pod: QueuedPod): Requeue {
    if (pod.unschedulablePlugins.size === 0 && pod.pendingPlugins.size === 0) return "after-backoff";
    let verdict: Requeue = "skip";
    for (const happened of this.#inFlight.eventsSince(pod.info.uid) ?? []) {
      const requeue = this.#options.hints.requeueOf(pod, happened);
      if (requeue === "immediately") return requeue;
      if (requeue === "after-backoff") verdict = requeue;
      if (verdict === "after-backoff" && pod.pendingPlugins.size === 0) break;
    }
    return verdict;
  }

  #ready(): boolean {
    return this.#active.size > 0 || (this.#options.popFromBackoff && this.#backoff.earlySize > 0);
  }

  #find(key: string): QueuedPod | undefined {
    return this.#active.get(key) ?? this.#waiting.get(key) ?? this.#backoff.get(key);
  }

  #flushDueAt(pod: QueuedPod): number {
    return Math.max(pod.timestamp, pod.flushedAt) + this.#options.maxUnschedulableMs;
  }
}

function newPod(pod: Pod, timestamp: number): QueuedPod {
  return {
    info: new PodInfo(pod),
    key: objectKey(pod),
    timestamp,
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
