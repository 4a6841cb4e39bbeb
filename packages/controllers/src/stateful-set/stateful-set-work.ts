import { type ConsistencyStore, createConsistencyStore } from "@coxswain/client/controller";
import { keyOf, type ReadonlyIndexer } from "@coxswain/client/informers";
import type { ControllerContext } from "../controller/controller.js";
import { createRevisionHistory, type RevisionHistory } from "../controller-revisions/revision-history.js";
import type { CachedPod } from "../pods/pod-state.js";
import { podsOfOwner } from "../pods/pods-of-owner.js";
import type { CachedClaim } from "./claim-retention.js";
import { type CachedStatefulSet, statefulSetKind } from "./identity.js";
import type { StatefulPodControl } from "./stateful-pod-control.js";

export const setResource = { group: "apps", resource: "statefulsets" };

/** What the work on all sets shares: how to read and write, and what the caches do not show yet. */
export interface StatefulSetWork extends StatefulPodControl {
  /** In milliseconds. */
  readonly now: () => number;
  readonly hasMaxUnavailable: boolean;
  readonly history: RevisionHistory;
  readonly consistency: ConsistencyStore;
  /** Sets whose claims the cache has not seen yet. Claims wake nobody else. */
  readonly waiting: Set<string>;
  setByKey(key: string): CachedStatefulSet | undefined;
  /** Of the cache: those that it controls, and orphans in its namespace. */
  podsOf(set: CachedStatefulSet): readonly CachedPod[];
}

export interface StatefulSetCaches {
  readonly sets: ReadonlyIndexer<CachedStatefulSet>;
  readonly pods: ReadonlyIndexer<CachedPod>;
  readonly claims: ReadonlyIndexer<CachedClaim>;
}

export function createStatefulSetWork(
  context: ControllerContext,
  { sets, pods, claims }: StatefulSetCaches,
): StatefulSetWork {
  const { client, gates, informers, runtime } = context;
  const consistency = createConsistencyStore(
    gates.enabled("StaleControllerConsistencyStatefulSet")
      ? [
          { resource: { group: "", resource: "pods" }, cache: pods },
          { resource: { group: "", resource: "persistentvolumeclaims" }, cache: claims },
          { resource: setResource, cache: sets },
        ]
      : [],
  );
  return {
    client,
    recorder: context.recorder("statefulset-controller"),
    now: () => runtime.clock.now(),
    hasMaxUnavailable: gates.enabled("MaxUnavailableStatefulSet"),
    history: createRevisionHistory(client, informers.of("apps", "v1", "controllerrevisions"), statefulSetKind),
    consistency,
    waiting: new Set(),
    setByKey: (key) => sets.getByKey(key),
    podsOf: (set) => podsOfOwner(pods, set, statefulSetKind.kind),
    claim: (namespace, name) => claims.getByKey(`${namespace}/${name}`),
    onWrite: (set, resource, version) => consistency.wroteAt(ownerOf(set), { group: "", resource }, version),
  };
}

export const ownerOf = (set: CachedStatefulSet) => ({ key: keyOf(set), uid: set.metadata?.uid ?? "" });
