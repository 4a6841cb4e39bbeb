import type { DeepReadonly } from "@coxswain/api/types";
import type { CachedObject } from "@coxswain/client/informers";
import { lowPriority } from "@coxswain/client/queue";
import type { Cluster } from "../access/index.js";
import { causeOf, type Predicate, type ResourceEvent } from "../event/index.js";
import type { ResourceDefinition } from "../resource/index.js";
import type { RequestName, RequestQueue } from "./request-queue.js";

/** What wakes a controller: a resource in one cluster, or anything else that finds out that an object needs work. */
export interface Source {
  /** For logs and errors. */
  readonly description: string;
  /**
   * Begins to add to the queue. Resolves once all that is there already was added. For each cluster that `clusters` accepts.
   * Ends what it started when the signal aborts.
   */
  start(cluster: Cluster, queue: RequestQueue, signal: AbortSignal): Promise<void>;
  readonly clusters: (name: string) => boolean;
}

export interface WatchOptions<T extends object> {
  /** Only events that all of them accept. */
  readonly predicates?: readonly Predicate<DeepReadonly<T>>[];
  /** Of several clusters, those in which it is watched. @default all of the manager */
  readonly clusters?: readonly string[] | ((name: string) => boolean);
}

/** The requests that a change concerns. Called twice for an update, with the state before and the state after. */
export type RequestMapping<T extends object> = (
  object: DeepReadonly<T>,
  event: ResourceEvent<DeepReadonly<T>>,
  cluster: Cluster,
) => Iterable<RequestName> | Promise<Iterable<RequestName>>;

/** The objects of one resource, by the cluster's cache. `mapsOld`: an update also concerns what the state before maps to. */
export function watchResource<T extends object>(
  definition: ResourceDefinition<T>,
  mapping: RequestMapping<T>,
  { predicates = [], clusters, mapsOld = true }: WatchOptions<T> & { readonly mapsOld?: boolean } = {},
): Source {
  type Seen = CachedObject & DeepReadonly<T>;

  function handle(event: ResourceEvent<Seen>, cluster: Cluster, queue: RequestQueue): void | Promise<void> {
    for (const passes of predicates) if (!passes(event)) return undefined;
    const cause = causeOf(definition, event);
    const priority = cause.type === "initial" || cause.type === "resync" ? lowPriority : 0;
    const add = (names: Iterable<RequestName>): void => {
      for (const name of names) queue.add({ cluster: cluster.name, ...name }, cause, { priority });
    };
    const names = mapping(event.object, event, cluster);
    const before = mapsOld && event.type === "update" ? mapping(event.old, event, cluster) : [];
    if (!(names instanceof Promise) && !(before instanceof Promise)) {
      add(union(before, names));
      return undefined;
    }
    return Promise.all([before, names]).then(([old, current]) => add(union(old, current)));
  }

  return {
    description: `kind source: ${definition.kind}`,
    clusters: typeof clusters === "function" ? clusters : (name) => clusters?.includes(name) ?? true,
    async start(cluster, queue, signal) {
      const registrations = cluster.cache.of(definition).addHandler({
        onAdd: (object, isInInitialList) => handle({ type: "create", object, isInInitialList }, cluster, queue),
        onUpdate: (old, object) => handle({ type: "update", object, old }, cluster, queue),
        onDelete: (object, { finalStateUnknown }) =>
          handle({ type: "delete", object, finalStateUnknown }, cluster, queue),
      });
      const end = (): void => {
        // Calls under way are awaited by the informer's own stop.
        for (const registration of registrations) void registration.remove();
      };
      signal.addEventListener("abort", end, { once: true });
      for (const registration of registrations) await registration.whenSynced(signal);
    },
  };
}

/** Each name once: the states before and after mostly concern the same requests. */
function union(before: Iterable<RequestName>, after: Iterable<RequestName>): Iterable<RequestName> {
  const old = [...before];
  if (old.length === 0) return after;
  const byKey = new Map<string, RequestName>();
  for (const name of [...old, ...after]) byKey.set(`${name.cluster ?? ""}/${name.namespace ?? ""}/${name.name}`, name);
  return byKey.values();
}
