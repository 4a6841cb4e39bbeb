import type { DeepReadonly, ResourceTypes } from "@coxswain/api/types";
import { formatGroupVersionResource, type GroupVersionResource } from "@coxswain/apimachinery/meta";
import type { Indexers, SharedIndexInformer, SharedInformerFactory } from "@coxswain/client/informers";
import type { PartialObjectMetadata } from "@coxswain/client/resource";

/** Caches by the names in `client.apps.v1.deployments`. The first to ask for one makes it. */
export interface Informers {
  of<G extends keyof ResourceTypes, V extends keyof ResourceTypes[G], R extends keyof ResourceTypes[G][V]>(
    group: G,
    version: V,
    resource: R,
    options?: { indexers?: Indexers<Cached<G, V, R>> },
  ): SharedIndexInformer<Cached<G, V, R>>;
  /** The cache of a resource that is known at run time only, if some controller has asked for it. */
  held(resource: GroupVersionResource): SharedIndexInformer<CachedMetadata> | undefined;
}

/** An object as caches hold it. */
export type Cached<
  G extends keyof ResourceTypes,
  V extends keyof ResourceTypes[G],
  R extends keyof ResourceTypes[G][V],
> = ResourceTypes[G][V][R] extends { type: infer T extends object } ? DeepReadonly<T> : never;

/** An object of any resource, of which only the metadata is read. */
export type CachedMetadata = DeepReadonly<Pick<PartialObjectMetadata, "metadata">>;

/** The caches of a process, by resource. */
export type HeldInformers = Map<string, SharedIndexInformer<CachedMetadata>>;

export interface InformersOptions {
  readonly factory: SharedInformerFactory;
  refOf(group: string, version: string, resource: string): GroupVersionResource;
  /** Of all controllers. */
  readonly all: HeldInformers;
  /** Called with each informer that is asked for. */
  onUse(resource: GroupVersionResource, informer: SharedIndexInformer<CachedMetadata>): void;
}

export function createInformers({ factory, refOf, all, onUse }: InformersOptions): Informers {
  return {
    of(group, version, resource, options) {
      const ref = refOf(String(group), String(version), String(resource));
      const informer: SharedIndexInformer<CachedMetadata> = factory.informer(ref, options as object | undefined);
      all.set(formatGroupVersionResource(ref), informer);
      onUse(ref, informer);
      return informer as never;
    },
    held: (resource) => all.get(formatGroupVersionResource(resource)),
  };
}
