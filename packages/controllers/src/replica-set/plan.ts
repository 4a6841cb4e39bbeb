import type { DeepReadonly } from "@coxswain/api";
import type { ReplicaSet, ReplicaSetCondition, ReplicaSetStatus } from "@coxswain/api/apps/v1";
import { selectorFromLabels } from "@coxswain/apimachinery/selector";
import { formatTime } from "@coxswain/apimachinery/time";
import { byDeletionOrder } from "../pods/deletion-order.js";
import { type CachedPod, isPodAvailable, isPodReady } from "../pods/pod-state.js";

/** A ReplicaSet or a ReplicationController: but for their selectors they are alike. */
export type ReplicaOwner = Omit<DeepReadonly<ReplicaSet>, "apiVersion" | "kind" | "spec"> & {
  readonly spec?: Omit<NonNullable<DeepReadonly<ReplicaSet>["spec"]>, "selector">;
};

/** So many pods are created or deleted before the cache must have seen them. */
export const burstReplicas = 500;

export interface ReplicasPlan {
  readonly create: number;
  readonly remove: readonly CachedPod[];
}

export interface PlanReplicasOptions {
  /** The pods of the owner that count. */
  readonly active: readonly CachedPod[];
  /** The pods of all ReplicaSets of the same Deployment; asked for only when pods are to be chosen. */
  readonly related: () => readonly CachedPod[];
  /** In milliseconds. */
  readonly now: number;
  readonly hasDeletionCost: boolean;
}

/** Pure: how many pods are missing, or which are too many. */
export function planReplicas(owner: ReplicaOwner, options: PlanReplicasOptions): ReplicasPlan {
  const { active, now, hasDeletionCost } = options;
  const missing = desiredReplicas(owner) - active.length;
  if (missing >= 0) return { create: Math.min(missing, burstReplicas), remove: [] };
  const surplus = Math.min(-missing, burstReplicas);
  // Those that all go need no order.
  if (surplus === active.length) return { create: 0, remove: active };
  const ranked = byDeletionOrder(active, { related: options.related(), now, hasDeletionCost });
  return { create: 0, remove: ranked.slice(0, surplus) };
}

export const desiredReplicas = ({ spec }: ReplicaOwner): number => spec?.replicas ?? 1;

export interface PlanStatusOptions {
  readonly active: readonly CachedPod[];
  /** Pods that are being deleted; undefined: this kind does not count them. */
  readonly terminating: readonly CachedPod[] | undefined;
  /** What creating or deleting failed with. */
  readonly failure?: string | undefined;
  /** In milliseconds. */
  readonly now: number;
}

/** Pure: the status that the owner should have, or undefined when it has it. */
export function planStatus(owner: ReplicaOwner, options: PlanStatusOptions): ReplicaSetStatus | undefined {
  const { active, terminating, failure, now } = options;
  const { spec, status } = owner;
  const template = selectorFromLabels(spec?.template?.metadata?.labels);
  const ready = active.filter(isPodReady);
  const conditions = planConditions(owner, active.length, failure, now);
  const observedGeneration = owner.metadata?.generation;
  const next: ReplicaSetStatus = {
    replicas: active.length,
    fullyLabeledReplicas: active.filter(({ metadata }) => template.matches(metadata?.labels)).length,
    readyReplicas: ready.length,
    availableReplicas: ready.filter((pod) => isPodAvailable(pod, spec?.minReadySeconds ?? 0, now)).length,
    ...(terminating && { terminatingReplicas: terminating.length }),
    ...(observedGeneration !== undefined && { observedGeneration }),
    ...(conditions.length > 0 && { conditions }),
  };
  const isSame =
    counts.every((count) => (status?.[count] ?? 0) === (next[count] ?? 0)) &&
    status?.terminatingReplicas === next.terminatingReplicas &&
    (observedGeneration ?? 0) === (status?.observedGeneration ?? 0) &&
    conditions === (status?.conditions ?? none);
  return isSame ? undefined : next;
}

const counts = ["replicas", "fullyLabeledReplicas", "readyReplicas", "availableReplicas"] as const;
const none: readonly ReplicaSetCondition[] = [];

/** The same list where nothing changes. An older failure keeps its time and its words. */
function planConditions(
  { spec, status }: ReplicaOwner,
  active: number,
  message: string | undefined,
  now: number,
): ReplicaSetCondition[] {
  const conditions = (status?.conditions ?? none) as ReplicaSetCondition[];
  const hasFailed = conditions.some(({ type }) => type === "ReplicaFailure");
  if (message === undefined) return hasFailed ? conditions.filter(({ type }) => type !== "ReplicaFailure") : conditions;
  if (hasFailed) return conditions;
  const reason = active < (spec?.replicas ?? 1) ? "FailedCreate" : "FailedDelete";
  const failure = {
    type: "ReplicaFailure",
    status: "True",
    lastTransitionTime: formatTime(now),
    reason,
    message,
  } as const;
  return [...conditions, failure];
}
