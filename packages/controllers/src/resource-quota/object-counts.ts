import { formatGroupResource } from "@coxswain/apimachinery/meta";
import { createLister, createSharedInformer, type SharedIndexInformer } from "@coxswain/client/informers";
import { indexByNamespace, namespaceIndex } from "@coxswain/client/informers";
import type { PartialObjectMetadata } from "@coxswain/client/resource";
import type { ControllerContext } from "../controller/controller.js";
import type { PreferredResource } from "../discovery/preferred-resources.js";

/**
 * Caches of the resources that quotas only count. Only those that some quota names are watched, and of their objects only names
 * are kept.
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
  readonly informer: SharedIndexInformer<{
    readonly metadata?: { readonly name?: string; readonly namespace?: string };
  }>;
  /** The quotas that need it. */
  readonly quotas: Set<string>;
}

export function createObjectCounts(
  { client, clock, random, activity, log }: ControllerContext,
  options: ObjectCountsOptions,
): ObjectCounts {
  const watched = new Map<string, Watched>();
  const neededBy = new Map<string, readonly string[]>();

  function watch(resource: PreferredResource): Watched {
    const informer = createSharedInformer<PartialObjectMetadata>({
      listerWatcher: client.metadata(resource),
      transform: namesOnly,
      indexers: { [namespaceIndex]: indexByNamespace },
      clock,
      random,
      activity,
      onError: (error) => log.debug("a cache lost its server and recovers", { resource: resource.resource, error }),
    });
    const quotas = new Set<string>();
    const registration = informer.addHandler({
      onDelete: ({ metadata }) => options.deleted(resource, metadata?.namespace ?? ""),
    });
    informer.start();
    registration.whenSynced().then(
      () => options.synced(quotas),
      () => {}, // stopped before it was filled
    );
    return { informer, quotas };
  }

  async function release(quotaKey: string, key: string): Promise<void> {
    const entry = watched.get(key);
    entry?.quotas.delete(quotaKey);
    if (!entry || entry.quotas.size > 0) return;
    watched.delete(key);
    await entry.informer.stop();
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
      return entry?.informer.hasSynced ? createLister(entry.informer.indexer).namespace(namespace).list() : undefined;
    },
    async stop() {
      await Promise.all([...watched.values()].map(({ informer }) => informer.stop()));
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
