import type { CachedReplicaSet } from "../replica-set/replica-sets-of-owner.js";
import { type CachedDeployment, isRollingUpdate, maxSurge, replicasOf, sum } from "./deployment-strategy.js";
import { activeOf, byAge, type FoundReplicaSets } from "./find-replica-sets.js";
import { desiredAtScale, maxAtScale } from "./revision.js";

/** One ReplicaSet and the size that it should have. */
export interface Scaling {
  readonly replicaSet: CachedReplicaSet;
  readonly replicas: number;
  /** Whether its annotations are written even where the size is right. */
  readonly isForced?: boolean;
}

/** Pure: whether the Deployment's size was changed since its ReplicaSets got theirs. */
export const isScalingEvent = (deployment: CachedDeployment, { current, old }: FoundReplicaSets): boolean =>
  activeOf([...old, current]).some((replicaSet) => {
    const desired = desiredAtScale(replicaSet);
    return desired !== undefined && desired !== replicasOf(deployment);
  });

/** Pure: the sizes of the ReplicaSets of a Deployment that is paused or was scaled, in the order in which to write them. */
export function planScale(deployment: CachedDeployment, { current, old }: FoundReplicaSets): readonly Scaling[] {
  const replicas = replicasOf(deployment);
  const active = activeOf([...old, current]);
  // With one that has pods, or none, that one gets them all.
  const only = active.length === 0 ? (current ?? old.at(-1)) : active.length === 1 ? active[0] : undefined;
  if (only) return replicasOf(only) === replicas ? [] : [{ replicaSet: only, replicas }];
  if (active.length === 0) return [];
  if (isSaturated(deployment, current)) return activeOf(old).map((replicaSet) => ({ replicaSet, replicas: 0 }));
  return isRollingUpdate(deployment) ? planProportionally(deployment, active) : [];
}

/** The new ReplicaSet has everything that the Deployment asks for. */
function isSaturated(deployment: CachedDeployment, current: CachedReplicaSet | undefined): boolean {
  const replicas = replicasOf(deployment);
  return (
    current !== undefined &&
    replicasOf(current) === replicas &&
    desiredAtScale(current) === replicas &&
    (current.status?.availableReplicas ?? 0) === replicas
  );
}

/** Spreads what is added or removed over all ReplicaSets by their sizes, so that a rollout under way risks no more than before. */
function planProportionally(deployment: CachedDeployment, active: readonly CachedReplicaSet[]): readonly Scaling[] {
  const allowed = replicasOf(deployment) > 0 ? replicasOf(deployment) + maxSurge(deployment) : 0;
  const toAdd = allowed - sum(active, replicasOf);
  // What is left over goes to the largest: of equals to the newer one when growing, to the older when shrinking.
  const sorted = [...active].sort(
    (a, b) => replicasOf(b) - replicasOf(a) || (toAdd > 0 ? byAge(b, a) : toAdd < 0 ? byAge(a, b) : 0),
  );
  let added = 0;
  const sizes = sorted.map((replicaSet) => {
    const share = proportion(deployment, replicaSet, toAdd, added);
    added += share;
    return replicasOf(replicaSet) + share;
  });
  if (toAdd !== 0) sizes[0] = Math.max(0, (sizes[0] ?? 0) + toAdd - added);
  return sorted.map((replicaSet, index) => ({ replicaSet, replicas: sizes[index] ?? 0, isForced: true }));
}

function proportion(deployment: CachedDeployment, replicaSet: CachedReplicaSet, toAdd: number, added: number): number {
  const size = replicasOf(replicaSet);
  if (size === 0 || toAdd === 0 || toAdd === added) return 0;
  const share = fraction(deployment, replicaSet);
  return toAdd > 0 ? Math.min(share, toAdd - added) : Math.max(share, toAdd - added);
}

function fraction(deployment: CachedDeployment, replicaSet: CachedReplicaSet): number {
  const size = replicasOf(replicaSet);
  if (replicasOf(deployment) === 0) return -size;
  const before = maxAtScale(replicaSet) || (deployment.status?.replicas ?? 0);
  if (before === 0) return 0;
  return Math.round((size * (replicasOf(deployment) + maxSurge(deployment))) / before) - size;
}
