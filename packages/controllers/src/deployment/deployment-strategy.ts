import type { DeepReadonly } from "@coxswain/api";
import type { Deployment } from "@coxswain/api/apps/v1";
import { type IntOrString, scaledValue } from "@coxswain/apimachinery/int-or-string";
import type { CachedReplicaSet } from "../replica-set/replica-sets-of-owner.js";

/** A Deployment as caches hold it. */
export type CachedDeployment = DeepReadonly<Deployment>;

export const kindOfDeployment = { group: "apps", version: "v1", kind: "Deployment" };

export const replicasOf = ({ spec }: { readonly spec?: { readonly replicas?: number } }): number => spec?.replicas ?? 1;

export const sum = (
  replicaSets: readonly CachedReplicaSet[],
  count: (replicaSet: CachedReplicaSet) => number | undefined,
): number => replicaSets.reduce((total, replicaSet) => total + (count(replicaSet) ?? 0), 0);

export const isRollingUpdate = ({ spec }: CachedDeployment): boolean => spec?.strategy?.type === "RollingUpdate";

/** How many pods there may be beyond the number asked for. */
export const maxSurge = (deployment: CachedDeployment): number =>
  isRollingUpdate(deployment) ? resolveLimits(deployment).surge : 0;

/** How many of the pods asked for may be unavailable. */
export function maxUnavailable(deployment: CachedDeployment): number {
  const replicas = replicasOf(deployment);
  if (!isRollingUpdate(deployment) || replicas === 0) return 0;
  return Math.min(resolveLimits(deployment).unavailable, replicas);
}

/** Where both come to nothing the rollout could not move: one pod may be unavailable then. */
function resolveLimits(deployment: CachedDeployment): { readonly surge: number; readonly unavailable: number } {
  const total = replicasOf(deployment);
  const limits = deployment.spec?.strategy?.rollingUpdate;
  const scaled = (value: IntOrString | undefined, round: "up" | "down"): number =>
    scaledValue(value ?? 0, { total, round });
  const surge = scaled(limits?.maxSurge, "up");
  const unavailable = scaled(limits?.maxUnavailable, "down");
  return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable };
}

/** 2^31-1 seconds mean none. */
export const progressDeadlineSeconds = ({ spec }: CachedDeployment): number | undefined =>
  spec?.progressDeadlineSeconds === 2 ** 31 - 1 ? undefined : spec?.progressDeadlineSeconds;

/** How many pods the new ReplicaSet should have now. */
export function newReplicaSetSize(
  deployment: CachedDeployment,
  all: readonly CachedReplicaSet[],
  current: number,
): number {
  const replicas = replicasOf(deployment);
  if (!isRollingUpdate(deployment)) return replicas;
  const allowed =
    replicas + scaledValue(deployment.spec?.strategy?.rollingUpdate?.maxSurge ?? 0, { total: replicas, round: "up" });
  const room = allowed - sum(all, replicasOf);
  return room <= 0 ? current : current + Math.min(room, replicas - current);
}
