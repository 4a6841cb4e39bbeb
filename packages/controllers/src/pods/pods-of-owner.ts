import type { Indexers, ReadonlyIndexer } from "@coxswain/client/informers";
import { controllerRefOf } from "./controller-ref.js";
import type { CachedPod } from "./pod-state.js";

/** Finds the pods of a controller, and a namespace's pods that have none. */
const podController = "podController";

/** Ask for the pod informer with these. */
export const podsByController: Indexers<CachedPod> = {
  [podController]: (pod) => {
    const owner = controllerRefOf(pod);
    const namespace = pod.metadata?.namespace ?? "";
    return [owner === undefined ? namespace : indexKey(namespace, owner)];
  },
};

const indexKey = (
  namespace: string,
  { kind, name, uid }: { readonly kind: string; readonly name: string; readonly uid: string },
): string => `${namespace}/${kind}/${name}/${uid}`;

export interface PodOwner {
  readonly metadata?: { readonly name?: string; readonly namespace?: string; readonly uid?: string };
}

/** The pods that the owner controls and, unless they are left out, the namespace's pods without a controller: it may adopt them. */
export function podsOfOwner(
  indexer: ReadonlyIndexer<CachedPod>,
  owner: PodOwner,
  kind: string,
  { withOrphans = true }: { withOrphans?: boolean } = {},
): CachedPod[] {
  const { namespace = "", name = "", uid = "" } = owner.metadata ?? {};
  const owned = indexer.byIndex(podController, indexKey(namespace, { kind, name, uid }));
  return withOrphans ? [...owned, ...indexer.byIndex(podController, namespace)] : owned;
}
