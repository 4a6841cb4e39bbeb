import type { CachedReplicaSet } from "../replica-set/replica-sets-of-owner.js";
import { type CachedDeployment, replicasOf } from "./deployment-strategy.js";
import { byRevision } from "./find-replica-sets.js";

/** Pure: old ReplicaSets beyond the history that the Deployment keeps: those of the oldest revisions, unless they have pods. */
export function planCleanup({ spec }: CachedDeployment, old: readonly CachedReplicaSet[]): readonly CachedReplicaSet[] {
  const limit = spec?.revisionHistoryLimit;
  if (limit === undefined || limit === 2 ** 31 - 1) return [];
  const alive = old.filter(({ metadata }) => !metadata?.deletionTimestamp).sort(byRevision);
  return alive
    .slice(0, Math.max(0, alive.length - limit))
    .filter(
      (replicaSet) =>
        (replicaSet.status?.replicas ?? 0) === 0 &&
        replicasOf(replicaSet) === 0 &&
        (replicaSet.metadata?.generation ?? 0) <= (replicaSet.status?.observedGeneration ?? 0),
    );
}
