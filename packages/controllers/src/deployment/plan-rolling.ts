import type { CachedReplicaSet } from "../replica-set/replica-sets-of-owner.js";
import { type CachedDeployment, maxUnavailable, newReplicaSetSize, replicasOf, sum } from "./deployment-strategy.js";
import { activeOf, byAge } from "./find-replica-sets.js";
import type { Scaling } from "./plan-scale.js";

/**
 * Pure: the next step of a rolling update. First the new ReplicaSet grows as far as the surge allows; only where it need not,
 * the old ones shrink: unhealthy pods first, then as many as availability allows.
 */
export function planRolling(
  deployment: CachedDeployment,
  current: CachedReplicaSet,
  old: readonly CachedReplicaSet[],
): readonly Scaling[] {
  const replicas = replicasOf(deployment);
  const size = replicasOf(current);
  if (size !== replicas) {
    const next = size > replicas ? replicas : newReplicaSetSize(deployment, [...old, current], size);
    if (next !== size) return [{ replicaSet: current, replicas: next }];
  }
  return planOld(deployment, current, activeOf(old).sort(byAge));
}

function planOld(
  deployment: CachedDeployment,
  current: CachedReplicaSet,
  old: readonly CachedReplicaSet[],
): readonly Scaling[] {
  if (old.length === 0) return [];
  const available = ({ status }: CachedReplicaSet): number => status?.availableReplicas ?? 0;
  const minAvailable = replicasOf(deployment) - maxUnavailable(deployment);
  const unavailableNew = replicasOf(current) - available(current);
  const most = sum([...old, current], replicasOf) - minAvailable - unavailableNew;
  if (most <= 0) return [];
  const sizes = new Map(old.map((replicaSet) => [replicaSet, replicasOf(replicaSet)]));
  const shrink = (replicaSet: CachedReplicaSet, by: number): void =>
    void sizes.set(replicaSet, (sizes.get(replicaSet) ?? 0) - by);

  let unhealthy = most;
  for (const replicaSet of old) {
    const by = Math.min(unhealthy, replicasOf(replicaSet) - available(replicaSet));
    if (by <= 0) continue;
    shrink(replicaSet, by);
    unhealthy -= by;
  }
  let healthy = sum([...old, current], available) - minAvailable;
  for (const replicaSet of old) {
    const by = Math.min(healthy, sizes.get(replicaSet) ?? 0);
    if (by <= 0) continue;
    shrink(replicaSet, by);
    healthy -= by;
  }
  return old.flatMap((replicaSet) => {
    const replicas = sizes.get(replicaSet) ?? 0;
    return replicas === replicasOf(replicaSet) ? [] : [{ replicaSet, replicas }];
  });
}
