import type { RecordedEvent } from "@coxswain/client/events";
import type { Clock } from "@coxswain/runtime/clock";
import type { PodAdmission } from "../admission/admit-pod.js";
import type { ImageCollector } from "../images/image-collector.js";
import type { CachedPod } from "../objects/cached-pod.js";
import type { ContainerRuntime, NodeStats } from "../runtime/container-runtime.js";
import { admitUnderPressure } from "./admit-under-pressure.js";
import { evictionMessage } from "./eviction-message.js";
import { hasStorageLimit, storageExcess } from "./local-storage.js";
import { type Observations, observe, thresholdsMet } from "./observations.js";
import { type EvictionState, noEviction, planEviction, type Reclaim } from "./plan-eviction.js";
import { isCriticalPod, type PodUsage, rankForEviction } from "./rank-pods.js";
import { conditionOf, type PressureCondition } from "./signals.js";
import type { Threshold } from "./thresholds.js";

/** Looks after a node that runs out of memory, disk or processes: conditions, admission, and at most one eviction per look. */
export interface EvictionManager {
  /** Of the node since the last look. */
  readonly conditions: readonly PressureCondition[];
  admit(pod: CachedPod): PodAdmission;
  /** One look: upstream's synchronize, every ten seconds. */
  synchronize(): Promise<void>;
  /** Evicts the pod that goes first where memory is short; undefined: none may be evicted. */
  evictFirst(): Promise<CachedPod | undefined>;
}

export interface EvictionSettings {
  readonly thresholds: readonly Threshold[];
  readonly transitionMs: number;
  /** The longest grace period that a soft threshold grants, in seconds. */
  readonly maxPodGraceSeconds: number;
}

/** A pod that runs on the node. */
export interface EvictablePod {
  readonly uid: string;
  pod(): CachedPod;
  evict(failure: EvictionFailure, graceSeconds: number): void;
}

export interface EvictionFailure {
  readonly reason: "Evicted";
  readonly message: string;
  /** Whether the condition DisruptionTarget is added: the node, not the pod, is the reason. */
  readonly isDisruption: boolean;
}

export interface EvictionManagerOptions {
  readonly settings: EvictionSettings;
  readonly containers: Pick<ContainerRuntime, "listStats">;
  /** What the node has left. */
  nodeStats(): Promise<NodeStats>;
  readonly images: ImageCollector;
  readonly clock: Clock;
  /** What pods may use of the node's memory together, in bytes. */
  allocatableMemory(): number;
  pods(): Iterable<EvictablePod>;
  recordPod(pod: CachedPod, event: RecordedEvent): void;
  recordNode(event: RecordedEvent): void;
  /** A pod is evicted. @param signal of the threshold or the limit that is the reason */
  onEvicted(signal: string): void;
}

interface EvictionTerms {
  /** Of the threshold or the limit that is the reason; undefined: somebody asked for it. */
  readonly signal?: string;
  readonly graceSeconds: number;
  readonly isDisruption: boolean;
}

/** Pods that a hard threshold evicts have this long, in seconds. */
const immediateGraceSeconds = 1;

function graceOf(pod: CachedPod, { threshold }: Reclaim, { maxPodGraceSeconds }: EvictionSettings): number {
  if (threshold.graceMs === 0) return immediateGraceSeconds;
  return Math.min(maxPodGraceSeconds, pod.spec?.terminationGracePeriodSeconds ?? maxPodGraceSeconds);
}

export function createEvictionManager(options: EvictionManagerOptions): EvictionManager {
  const { settings, containers, clock, images } = options;
  const { thresholds, transitionMs } = settings;
  let state: EvictionState = noEviction;
  let conditions: readonly PressureCondition[] = [];

  const look = async (): Promise<Observations> => observe(await options.nodeStats(), options.allocatableMemory());

  function evict(pod: EvictablePod, message: string, more: EvictionTerms): void {
    if (more.signal !== undefined) options.onEvicted(more.signal);
    options.recordPod(pod.pod(), { type: "Warning", reason: "Evicted", message });
    pod.evict({ reason: "Evicted", message, isDisruption: more.isDisruption }, more.graceSeconds);
  }

  /** Pods that use more local storage than they may go, whatever the node has left. */
  async function evictAboveLimits(): Promise<boolean> {
    let hasEvicted = false;
    const limited = [...options.pods()].filter((each) => hasStorageLimit(each.pod()) && !isCriticalPod(each.pod()));
    const usage = limited.length > 0 ? await containers.listStats() : undefined;
    for (const each of limited) {
      const stats = usage?.get(each.uid);
      const excess = stats && storageExcess(each.pod(), stats);
      if (excess === undefined) continue;
      const { signal, message } = excess;
      evict(each, message, { signal, graceSeconds: immediateGraceSeconds, isDisruption: false });
      hasEvicted = true;
    }
    return hasEvicted;
  }

  async function usageOfAll(): Promise<(PodUsage & { readonly target: EvictablePod })[]> {
    const usage = await containers.listStats();
    return [...options.pods()].map((target) => ({ target, pod: target.pod(), stats: usage.get(target.uid) }));
  }

  /** Whether removing what nobody uses was enough. */
  async function reclaimUnused({ threshold }: Reclaim): Promise<boolean> {
    if (conditionOf[threshold.signal] !== "DiskPressure") return false;
    await images.removeUnused();
    return thresholdsMet(thresholds, await look(), true).length === 0;
  }

  async function reclaim(what: Reclaim, observations: Observations): Promise<void> {
    const message = `Attempting to reclaim ${what.resource}`;
    options.recordNode({ type: "Warning", reason: "EvictionThresholdMet", message });
    if (await reclaimUnused(what)) return;
    const usage = await usageOfAll();
    const [first] = rankForEviction(usage, what.resource);
    const target = usage.find((each) => each === first)?.target;
    if (!first || !target) return;
    const { signal } = what.threshold;
    const text = evictionMessage(first, { ...what, observations });
    evict(target, text, { signal, graceSeconds: graceOf(first.pod, what, settings), isDisruption: true });
  }

  return {
    get conditions() {
      return conditions;
    },
    admit: (pod) => admitUnderPressure(pod, conditions),
    async synchronize() {
      const observations = await look();
      const plan = planEviction(state, { thresholds, observations, transitionMs, now: clock.now() });
      state = plan.state;
      conditions = plan.conditions;
      if (await evictAboveLimits()) return;
      if (plan.reclaim) await reclaim(plan.reclaim, observations);
    },
    async evictFirst() {
      const usage = (await usageOfAll()).filter(({ stats }) => stats !== undefined);
      const [first] = rankForEviction(usage);
      const target = usage.find((each) => each === first)?.target;
      if (!first || !target) return undefined;
      const message = evictionMessage(first, { resource: "memory", met: [], observations: new Map() });
      evict(target, message, { graceSeconds: 0, isDisruption: true });
      return first.pod;
    },
  };
}
