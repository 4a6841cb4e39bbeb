import { formatGroupResource } from "@coxswain/apimachinery/meta";
import { createLister } from "@coxswain/client/informers";
import type { PartialObjectMetadata } from "@coxswain/client/resource";
import type { ControllerContext } from "../controller/controller.js";
import { type MetadataCache, openMetadataCache } from "../controller/metadata-cache.js";
import type { PreferredResource } from "../discovery/preferred-resources.js";

/**
 * Caches of the resources that quotas only count. Only those that some quota names are watched, and only names of their objects
 * are kept where no other controller has them.
 */
export interface ObjectCounts {
  /** The resources that a quota counts from now on. */
  need(quotaKey: string, resources: readonly PreferredResource[]): Promise<void>;
  /** Undefined: the cache is not filled yet; the quotas that need it are woken when it is. */
  objects(resource: PreferredResource, namespace: string): readonly object[] | undefined;
  stop(): Promise<void>;
}

export interface ObjectCountsOptions {
  /** An object of the namespace is gone. */
  deleted(resource: PreferredResource, namespace: string): void;
  /** These quotas can be computed now. */
  synced(quotaKeys: Iterable<string>): void;
}

interface Watched {
  readonly cache: MetadataCache;
  /** The quotas that need it. */
  readonly quotas: Set<string>;
}

export function createObjectCounts(context: ControllerContext, options: ObjectCountsOptions): ObjectCounts {
  const watched = new Map<string, Watched>();
  const neededBy = new Map<string, readonly string[]>();

  function watch(resource: PreferredResource): Watched {
    const quotas = new Set<string>();
    const cache = openMetadataCache(context, resource, {
      keep: namesOnly,
      handler: { onDelete: ({ metadata }) => options.deleted(resource, metadata?.namespace ?? "") },
    });
    cache.whenSynced().then(
      () => options.synced(quotas),
      () => {}, // closed before it was filled
    );
    return { cache, quotas };
  }

  async function release(quotaKey: string, key: string): Promise<void> {
    const entry = watched.get(key);
    entry?.quotas.delete(quotaKey);
    if (!entry || entry.quotas.size > 0) return;
    watched.delete(key);
    await entry.cache.close();
  }

  return {
    async need(quotaKey, resources) {
      const before = neededBy.get(quotaKey) ?? [];
      const keys = resources.map(keyOf);
      if (keys.length > 0) neededBy.set(quotaKey, keys);
      else neededBy.delete(quotaKey);
      for (const resource of resources) {
        const key = keyOf(resource);
        const entry = watched.get(key) ?? watch(resource);
        watched.set(key, entry);
        entry.quotas.add(quotaKey);
      }
      await Promise.all(before.filter((key) => !keys.includes(key)).map((key) => release(quotaKey, key)));
    },
    objects(resource, namespace) {
      const entry = watched.get(keyOf(resource));
      return entry?.cache.hasSynced ? createLister(entry.cache.indexer).namespace(namespace).list() : undefined;
    },
    async stop() {
      await Promise.all([...watched.values()].map(({ cache }) => cache.close()));
    },
  };
}

/** Another version is watched anew. */
const keyOf = (resource: PreferredResource): string => `${formatGroupResource(resource)}/${resource.version}`;

const namesOnly = ({ metadata }: PartialObjectMetadata): PartialObjectMetadata => ({
  metadata: {
    ...(metadata?.name !== undefined && { name: metadata.name }),
    ...(metadata?.namespace !== undefined && { namespace: metadata.namespace }),
    ...(metadata?.resourceVersion !== undefined && { resourceVersion: metadata.resourceVersion }),
  },
});
