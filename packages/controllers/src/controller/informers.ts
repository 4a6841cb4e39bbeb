import type { DeepReadonly, ResourceTypes } from "@coxswain/api/types";
import type { GroupVersionResource } from "@coxswain/apimachinery/meta";
import type { Indexers, SharedIndexInformer, SharedInformerFactory, UntypedObject } from "@coxswain/client/informers";

/** Caches by the names in `client.apps.v1.deployments`. The first to ask for one makes it. */
export interface Informers {
  of<G extends keyof ResourceTypes, V extends keyof ResourceTypes[G], R extends keyof ResourceTypes[G][V]>(
    group: G,
    version: V,
    resource: R,
    options?: { indexers?: Indexers<Cached<G, V, R>> },
  ): SharedIndexInformer<Cached<G, V, R>>;
  /** Of any resource, built in or not. */
  dynamic(resource: GroupVersionResource): SharedIndexInformer<DeepReadonly<UntypedObject>>;
}

/** An object as caches hold it. */
export type Cached<
  G extends keyof ResourceTypes,
  V extends keyof ResourceTypes[G],
  R extends keyof ResourceTypes[G][V],
> = ResourceTypes[G][V][R] extends { type: infer T extends object } ? DeepReadonly<T> : never;

/** @param onUse called with each informer that is asked for */
export function createInformers(
  factory: SharedInformerFactory,
  refOf: (group: string, version: string, resource: string) => GroupVersionResource,
  onUse: (resource: GroupVersionResource, informer: SharedIndexInformer<DeepReadonly<UntypedObject>>) => void,
): Informers {
  const open = (resource: GroupVersionResource, options?: object): SharedIndexInformer<DeepReadonly<UntypedObject>> => {
    const informer = factory.informer(resource, options);
    onUse(resource, informer);
    return informer;
  };
  return {
    of: (group, version, resource, options) =>
      open(refOf(String(group), String(version), String(resource)), options) as never,
    dynamic: (resource) => open(resource),
  };
}
