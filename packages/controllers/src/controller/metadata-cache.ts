import type { GroupVersionResource } from "@coxswain/apimachinery/meta";
import {
  createSharedInformer,
  type EventHandler,
  indexByNamespace,
  namespaceIndex,
  type ReadonlyIndexer,
  type SharedIndexInformer,
} from "@coxswain/client/informers";
import type { PartialObjectMetadata } from "@coxswain/client/resource";
import type { ControllerContext } from "./controller.js";
import type { CachedMetadata } from "./informers.js";

/** The metadata of all objects of one resource. */
export interface MetadataCache {
  /** Indexed by namespace. */
  readonly indexer: ReadonlyIndexer<CachedMetadata>;
  /** Whether the handler has seen the first list. */
  readonly hasSynced: boolean;
  /** Resolves once `hasSynced`; rejects when it is closed before. */
  whenSynced(): Promise<void>;
  /** Nothing is handled any more. */
  close(): Promise<void>;
}

export interface MetadataCacheOptions {
  readonly handler: EventHandler<CachedMetadata>;
  /** As much of an object as is read, where the cache is held for this alone. */
  keep(object: PartialObjectMetadata): PartialObjectMetadata;
}

/**
 * Follows a resource that is known at run time only. A cache that some controller of the process has is shared, as upstream does (k8s.io/controller-manager/pkg/informerfactory/informer_factory.go, ForResource):
 * a second watch of pods costs the server and this process as much as the first. Call it once all controllers were started.
 */
export function openMetadataCache(
  context: Pick<ControllerContext, "client" | "informers" | "runtime">,
  resource: GroupVersionResource,
  { handler, keep }: MetadataCacheOptions,
): MetadataCache {
  const { client, informers, runtime } = context;
  const shared = informers.held(resource);
  const informer: SharedIndexInformer<CachedMetadata> =
    shared ??
    createSharedInformer<PartialObjectMetadata>({
      listerWatcher: client.metadata(resource),
      transform: keep,
      indexers: { [namespaceIndex]: indexByNamespace },
      runtime,
      onError: (error) =>
        runtime.log.debug("a cache lost its server and recovers", { resource: resource.resource, error }),
    });
  const registration = informer.addHandler(handler);
  if (!shared) informer.start();
  return {
    indexer: informer.indexer,
    get hasSynced() {
      return registration.hasSynced;
    },
    whenSynced: () => registration.whenSynced(),
    close: () => (shared ? registration.remove() : informer.stop()),
  };
}
