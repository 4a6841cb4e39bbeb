import type { DeepReadonly } from "@coxswain/api/types";
import type { GroupVersionResource } from "@coxswain/apimachinery/meta";
import { type CachedObject, type Indexers, indexByNamespace, namespaceIndex } from "../stores/index.js";
import type { ListerWatcher } from "../watch/index.js";
import { filterListerWatcher, type ListFilter } from "./filtered-lister-watcher.js";
import { createLister, type Lister } from "./lister.js";
import { createSharedInformer, type SharedIndexInformer, type SharedInformerOptions } from "./shared-informer.js";

/** One informer per resource, however many controllers ask for it. */
export interface SharedInformerFactory {
  /**
   * The informer of this resource, indexed by namespace and by `indexers`. The first call makes it; `start` starts it.
   * The type is the caller's word: it must be the one that the lister-watcher yields.
   */
  informer<T extends CachedObject = UntypedObject>(
    resource: GroupVersionResource,
    options?: { indexers?: Indexers<DeepReadonly<T>> },
  ): SharedIndexInformer<DeepReadonly<T>>;
  /** A lister over that informer's cache. */
  lister<T extends CachedObject = UntypedObject>(resource: GroupVersionResource): Lister<DeepReadonly<T>>;
  /** Starts the informers that do not run yet. Call it again after asking for more. */
  start(): void;
  /** Resolves once every informer asked for so far has synced. */
  whenSynced(signal?: AbortSignal): Promise<void>;
  /** Stops all and waits. */
  stop(): Promise<void>;
}

/** An object of a kind that is only known at run time. */
export interface UntypedObject extends CachedObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly [member: string]: unknown;
}

/**
 * How a factory reaches resources. `client.dynamic` makes a dynamic factory, `client.metadata` one that caches metadata only.
 * `namespace` is undefined for all namespaces.
 */
export type OpenListerWatcher = (
  resource: GroupVersionResource,
  namespace: string | undefined,
) => ListerWatcher<CachedObject>;

export interface SharedInformerFactoryOptions
  extends Omit<SharedInformerOptions<CachedObject>, "listerWatcher" | "indexers" | "keyOf"> {
  listerWatcher: OpenListerWatcher;
  /** @default all namespaces */
  namespace?: string;
  /** Caches only what these selectors let through. */
  filter?: ListFilter;
}

export function createSharedInformerFactory(options: SharedInformerFactoryOptions): SharedInformerFactory {
  const { listerWatcher: open, namespace, filter, ...shared } = options;
  const informers = new Map<string, SharedIndexInformer<CachedObject>>();
  let stopped = false;

  function make(resource: GroupVersionResource): SharedIndexInformer<CachedObject> {
    const listerWatcher = open(resource, namespace);
    return createSharedInformer<CachedObject>({
      ...shared,
      listerWatcher: filter === undefined ? listerWatcher : filterListerWatcher(listerWatcher, filter),
      indexers: { [namespaceIndex]: indexByNamespace },
    });
  }

  const self: SharedInformerFactory = {
    informer<T extends CachedObject>(
      resource: GroupVersionResource,
      { indexers = {} }: { indexers?: Indexers<DeepReadonly<T>> } = {},
    ) {
      if (stopped) throw new Error("this informer factory was stopped");
      const name = `${resource.group}/${resource.version}/${resource.resource}`;
      const informer = informers.get(name) ?? make(resource);
      informers.set(name, informer);
      const typed = informer as unknown as SharedIndexInformer<DeepReadonly<T>>;
      typed.addIndexers(indexers);
      return typed;
    },
    // The compiler cannot see that a deeply readonly object is still a cached object.
    lister: <T extends CachedObject>(resource: GroupVersionResource) =>
      createLister(self.informer<T>(resource).indexer as never) as Lister<DeepReadonly<T>>,
    start() {
      for (const informer of informers.values()) informer.start();
    },
    async whenSynced(signal) {
      // One after the other: all must have synced, and a signal has room for few listeners.
      for (const informer of informers.values()) await informer.whenSynced(signal);
    },
    async stop() {
      stopped = true;
      await Promise.all([...informers.values()].map((informer) => informer.stop()));
    },
  };
  return self;
}
