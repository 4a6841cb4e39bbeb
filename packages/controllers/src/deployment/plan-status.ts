import type { DeepReadonly } from "@coxswain/api";
import type { DeploymentStatus } from "@coxswain/api/apps/v1";
import { equalJson } from "@coxswain/apimachinery/json";
import { parseTimeMs } from "@coxswain/apimachinery/time";
import type { CachedReplicaSet } from "../replica-set/replica-sets-of-owner.js";
import {
  type Condition,
  type Conditions,
  conditionOf,
  newCondition,
  withCondition,
  withoutCondition,
} from "./conditions.js";
import {
  type CachedDeployment,
  maxUnavailable,
  progressDeadlineSeconds,
  replicasOf,
  sum,
} from "./deployment-strategy.js";
import type { FoundReplicaSets } from "./find-replica-sets.js";

export type CachedStatus = DeepReadonly<DeploymentStatus>;

export interface PlanStatusOptions {
  /** In milliseconds. */
  readonly now: number;
  readonly hasTerminatingReplicas: boolean;
}

/** Pure: what the ReplicaSets add up to, and whether that is enough. */
export function planStatus(
  deployment: CachedDeployment,
  { current, old }: FoundReplicaSets,
  { now, hasTerminatingReplicas }: PlanStatusOptions,
): CachedStatus {
  const all = [...old, ...(current ? [current] : [])];
  const available = sum(all, ({ status }) => status?.availableReplicas);
  const terminating = hasTerminatingReplicas ? terminatingReplicas(all) : undefined;
  const { collisionCount, conditions = [] } = deployment.status ?? {};
  const isAvailable = available >= replicasOf(deployment) - maxUnavailable(deployment);
  return {
    observedGeneration: deployment.metadata?.generation ?? 0,
    replicas: sum(all, ({ status }) => status?.replicas),
    updatedReplicas: current?.status?.replicas ?? 0,
    readyReplicas: sum(all, ({ status }) => status?.readyReplicas),
    availableReplicas: available,
    unavailableReplicas: Math.max(0, sum(all, replicasOf) - available),
    ...(terminating !== undefined && { terminatingReplicas: terminating }),
    conditions: withCondition(
      conditions,
      newCondition(
        isAvailable
          ? {
              type: "Available",
              status: "True",
              reason: "MinimumReplicasAvailable",
              message: "Deployment has minimum availability.",
            }
          : {
              type: "Available",
              status: "False",
              reason: "MinimumReplicasUnavailable",
              message: "Deployment does not have minimum availability.",
            },
        now,
      ),
    ),
    ...(collisionCount !== undefined && { collisionCount }),
  };
}

/** Undefined where a ReplicaSet does not report it; one that was never observed has none. */
function terminatingReplicas(all: readonly CachedReplicaSet[]): number | undefined {
  let total = 0;
  for (const { status } of all) {
    if (status?.terminatingReplicas === undefined && !status?.observedGeneration) continue;
    if (status.terminatingReplicas === undefined) return undefined;
    total += status.terminatingReplicas;
  }
  return total;
}

/** Pure: the status of a rollout: as above, with how it progresses and what keeps pods from being created. */
export function planRolloutStatus(
  deployment: CachedDeployment,
  found: FoundReplicaSets,
  options: PlanStatusOptions,
): CachedStatus {
  const status = planStatus(deployment, found, options);
  let conditions: Conditions = status.conditions ?? [];
  const deadline = progressDeadlineSeconds(deployment);
  if (deadline === undefined) conditions = withoutCondition(conditions, "Progressing");
  const before = conditionOf(deployment.status?.conditions, "Progressing");
  const wasComplete = status.replicas === status.updatedReplicas && before?.reason === "NewReplicaSetAvailable";
  if (deadline !== undefined && !wasComplete)
    conditions = planProgress(deployment, found.current, status, conditions, options.now);
  const failure = replicaFailure(found);
  conditions = failure ? withCondition(conditions, failure) : withoutCondition(conditions, "ReplicaFailure");
  return { ...status, conditions };
}

function planProgress(
  deployment: CachedDeployment,
  current: CachedReplicaSet | undefined,
  status: CachedStatus,
  conditions: Conditions,
  now: number,
): Conditions {
  const subject = current ? `ReplicaSet "${current.metadata?.name}"` : `Deployment "${deployment.metadata?.name}"`;
  const progressing = (isProgressing: boolean, reason: string, message: string): Condition =>
    newCondition(
      { type: "Progressing", status: isProgressing ? "True" : "False", reason, message: `${subject} ${message}` },
      now,
    );
  if (isComplete(deployment, status))
    return withCondition(conditions, progressing(true, "NewReplicaSetAvailable", "has successfully progressed."));
  if (hasProgressed(deployment, status)) {
    const condition = progressing(true, "ReplicaSetUpdated", "is progressing.");
    const before = conditionOf(deployment.status?.conditions, "Progressing");
    const lastTransitionTime = before?.status === "True" ? before.lastTransitionTime : undefined;
    // Written anew even with the same reason: the deadline counts from its time.
    return [
      ...withoutCondition(conditions, "Progressing"),
      { ...condition, ...(lastTransitionTime && { lastTransitionTime }) },
    ];
  }
  if (hasTimedOut(deployment, conditions, now))
    return withCondition(conditions, progressing(false, "ProgressDeadlineExceeded", "has timed out progressing."));
  return conditions;
}

/** Everything is new and available, and nothing else is there. */
export function isComplete(deployment: CachedDeployment, status: CachedStatus | undefined): boolean {
  const replicas = replicasOf(deployment);
  return (
    (status?.updatedReplicas ?? 0) === replicas &&
    (status?.replicas ?? 0) === replicas &&
    (status?.availableReplicas ?? 0) === replicas &&
    (status?.observedGeneration ?? 0) >= (deployment.metadata?.generation ?? 0)
  );
}

function hasProgressed({ status: before }: CachedDeployment, after: CachedStatus): boolean {
  const count = (status: CachedStatus | undefined, member: keyof CachedStatus): number => Number(status?.[member] ?? 0);
  const oldReplicas = (status: CachedStatus | undefined): number =>
    count(status, "replicas") - count(status, "updatedReplicas");
  return (
    count(after, "updatedReplicas") > count(before, "updatedReplicas") ||
    oldReplicas(after) < oldReplicas(before) ||
    count(after, "readyReplicas") > count(before, "readyReplicas") ||
    count(after, "availableReplicas") > count(before, "availableReplicas")
  );
}

function hasTimedOut(deployment: CachedDeployment, conditions: Conditions, now: number): boolean {
  const condition = conditionOf(conditions, "Progressing");
  if (!condition || condition.reason === "NewReplicaSetAvailable") return false;
  return condition.reason === "ProgressDeadlineExceeded" || deadlineOf(deployment, condition) < now;
}

/** When the Deployment must have made progress, in milliseconds. */
function deadlineOf(deployment: CachedDeployment, { lastUpdateTime }: Condition): number {
  return (parseTimeMs(lastUpdateTime ?? "") ?? 0) + (progressDeadlineSeconds(deployment) ?? 0) * 1000;
}

/** The new ReplicaSet's failure, or else another one's. */
function replicaFailure({ current, old }: FoundReplicaSets): Condition | undefined {
  for (const replicaSet of [current, ...old]) {
    const failure = replicaSet?.status?.conditions?.find(({ type }) => type === "ReplicaFailure");
    if (failure)
      return { ...failure, ...(failure.lastTransitionTime && { lastUpdateTime: failure.lastTransitionTime }) };
  }
  return undefined;
}

/** Pure: in how many milliseconds the rollout may have missed its deadline; undefined: it is over, or has none. */
export function nextProgressCheck(deployment: CachedDeployment, status: CachedStatus, now: number): number | undefined {
  const condition = conditionOf(deployment.status?.conditions, "Progressing");
  if (progressDeadlineSeconds(deployment) === undefined || !condition) return undefined;
  if (isComplete(deployment, status) || condition.reason === "ProgressDeadlineExceeded") return undefined;
  return Math.max(0, deadlineOf(deployment, condition) - now) + 1000;
}

/** Whether writing `b` over `a` would change something; counts of zero may be left out. */
export function equalStatus(a: CachedStatus | undefined, b: CachedStatus): boolean {
  return (
    counts.every((count) => (a?.[count] ?? 0) === (b[count] ?? 0)) &&
    a?.terminatingReplicas === b.terminatingReplicas &&
    a?.collisionCount === b.collisionCount &&
    equalJson(a?.conditions ?? [], b.conditions ?? [])
  );
}

const counts = [
  "observedGeneration",
  "replicas",
  "updatedReplicas",
  "readyReplicas",
  "availableReplicas",
  "unavailableReplicas",
] as const;
