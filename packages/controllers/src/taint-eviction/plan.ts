import type { DeepReadonly } from "@coxswain/api";
import type { Node, Taint, Toleration } from "@coxswain/api/core/v1";
import { type TolerationRules, tolerates } from "@coxswain/api/placement";
import { smallest } from "@coxswain/apimachinery/append";

/** An eviction that is to come, in milliseconds of the clock. */
export interface ScheduledEviction {
  readonly uid: string;
  readonly atMs: number;
}

export type EvictionPlan =
  /** The pod stays; what was scheduled is cancelled. */
  { readonly kind: "stay" } | { readonly kind: "evict" } | { readonly kind: "wait"; readonly atMs: number };

/** Only these make pods leave. */
export const noExecuteTaints = (node: DeepReadonly<Node>): DeepReadonly<Taint>[] =>
  (node.spec?.taints ?? []).filter(({ effect }) => effect === "NoExecute");

export interface EvictionInputs extends TolerationRules {
  /** Undefined: the node is not there any more. */
  readonly taints: readonly DeepReadonly<Taint>[] | undefined;
  readonly tolerations: readonly DeepReadonly<Toleration>[];
  readonly scheduled: ScheduledEviction | undefined;
  readonly nowMs: number;
}

/**
 * Pure: a pod goes at once when it does not tolerate all taints, else when the shortest time has passed that a toleration
 * allows. An eviction that is scheduled stays as it is, also when tolerations become longer or the node goes.
 */
export function planEviction({ taints, tolerations, scheduled, nowMs, ...options }: EvictionInputs): EvictionPlan {
  const atScheduled: EvictionPlan | undefined =
    scheduled && (scheduled.atMs <= nowMs ? { kind: "evict" } : { kind: "wait", atMs: scheduled.atMs });
  if (!taints) return atScheduled ?? { kind: "stay" };
  if (taints.length === 0) return { kind: "stay" };
  const used = taints.map((taint) => tolerations.find((toleration) => tolerates(toleration, taint, options)));
  if (used.includes(undefined)) return { kind: "evict" };
  const limits = used.flatMap((toleration) => toleration?.tolerationSeconds ?? []);
  if (limits.length === 0) return { kind: "stay" };
  const seconds = smallest(limits);
  if (seconds <= 0) return { kind: "evict" };
  return atScheduled ?? { kind: "wait", atMs: nowMs + seconds * 1000 };
}
