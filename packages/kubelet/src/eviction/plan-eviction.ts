import { type Observations, thresholdsMet } from "./observations.js";
import { conditionOf, type PressureCondition, resourceOf, type StarvedResource } from "./signals.js";
import type { Threshold } from "./thresholds.js";

/** What the kubelet remembers from one look at its node to the next. */
export interface EvictionState {
  /** Since when thresholds have been met. */
  readonly firstObserved: ReadonlyMap<Threshold, number>;
  /** When conditions were last seen. */
  readonly lastObserved: ReadonlyMap<PressureCondition, number>;
  /** Thresholds that were met for their grace periods, and may not be resolved yet. */
  readonly met: readonly Threshold[];
}

export const noEviction: EvictionState = { firstObserved: new Map(), lastObserved: new Map(), met: [] };

export interface EvictionFacts {
  readonly thresholds: readonly Threshold[];
  readonly observations: Observations;
  /** A condition stays for this long after it was last seen: upstream's evictionPressureTransitionPeriod. */
  readonly transitionMs: number;
  readonly now: number;
}

export interface EvictionPlan {
  readonly state: EvictionState;
  /** Of the node, from now on. */
  readonly conditions: readonly PressureCondition[];
  /** What there is too little of; undefined: nothing. */
  readonly reclaim: Reclaim | undefined;
}

export interface Reclaim {
  readonly threshold: Threshold;
  readonly resource: StarvedResource;
  /** All that are met. */
  readonly met: readonly Threshold[];
}

/**
 * Pure: one look at the node. Memory goes before everything else.
 * https://github.com/kubernetes/kubernetes/blob/v1.36.4/pkg/kubelet/eviction/eviction_manager.go
 */
export function planEviction(state: EvictionState, facts: EvictionFacts): EvictionPlan {
  const { thresholds, observations, transitionMs, now } = facts;
  const observed = new Set([
    ...thresholdsMet(thresholds, observations, false),
    ...thresholdsMet(state.met, observations, true),
  ]);
  const firstObserved = new Map(
    [...observed].map((threshold) => [threshold, state.firstObserved.get(threshold) ?? now]),
  );
  const lastObserved = new Map(state.lastObserved);
  for (const { signal } of observed) lastObserved.set(conditionOf[signal], now);
  const conditions = [...lastObserved].filter(([, at]) => now - at < transitionMs).map(([condition]) => condition);
  const met = [...firstObserved].filter(([{ graceMs }, at]) => now - at >= graceMs).map(([threshold]) => threshold);
  const [threshold] = met.toSorted((a, b) => Number(isMemory(b)) - Number(isMemory(a)));
  return {
    state: { firstObserved, lastObserved, met },
    conditions,
    reclaim: threshold && { threshold, resource: resourceOf[threshold.signal], met },
  };
}

const isMemory = ({ signal }: Threshold): boolean => conditionOf[signal] === "MemoryPressure";
