import type { DeepReadonly } from "@coxswain/api";
import type { ReplicaSet } from "@coxswain/api/apps/v1";
import type { Indexers, ReadonlyIndexer } from "@coxswain/client/informers";
import { controllerRefOf } from "../pods/controller-ref.js";

/** A ReplicaSet as caches hold it. */
export type CachedReplicaSet = DeepReadonly<ReplicaSet>;

const controllerUid = "controllerUID";

/** Ask for the ReplicaSet informer with these. */
export const replicaSetsByController: Indexers<CachedReplicaSet> = {
  [controllerUid]: (replicaSet) => {
    const owner = controllerRefOf(replicaSet);
    return owner === undefined ? [] : [owner.uid];
  },
};

/** The ReplicaSets that the object with this UID controls. */
export const replicaSetsOf = (indexer: ReadonlyIndexer<CachedReplicaSet>, uid: string): CachedReplicaSet[] =>
  indexer.byIndex(controllerUid, uid);
