import type { DeepReadonly } from "@coxswain/api";
import { equalJson } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { Clock } from "@coxswain/runtime/clock";
import type { Change, ListPage, StorageRequest, WatchQuery } from "./resource-storage.js";

export interface ListingOptions<T extends KubernetesObject> {
  readonly clock: Clock;
  /** Between two lists. */
  readonly intervalMs: number;
  /** All objects of a namespace ("": of all), as they are now. */
  list(namespace: string, request: StorageRequest): Promise<ListPage<T>>;
}

/**
 * The `watch` of a storage that has no changes to report: it lists again and again and reports what differs.
 *
 * Caveats: what changes twice between two lists is one change; what happened between `from` and the first list is not known.
 */
export function watchByListing<T extends KubernetesObject>({ clock, intervalMs, list }: ListingOptions<T>) {
  return async (
    { namespace }: WatchQuery,
    onChange: (change: Change<T>) => void,
    request: StorageRequest,
  ): Promise<void> => {
    const { signal } = request;
    let known = byKey((await list(namespace, request)).items);
    while (!signal.aborted) {
      await pause(clock, intervalMs, signal);
      if (signal.aborted) return;
      const { items, resourceVersion } = await list(namespace, request);
      const found = byKey(items);
      for (const change of changesBetween(known, found, resourceVersion)) onChange(change);
      known = found;
    }
  };
}

type Objects<T extends KubernetesObject> = ReadonlyMap<string, DeepReadonly<T>>;

const byKey = <T extends KubernetesObject>(items: readonly DeepReadonly<T>[]): Objects<T> =>
  new Map(items.map((item) => [`${item.metadata?.namespace ?? ""}/${item.metadata?.name ?? ""}`, item]));

/** Pure: additions and changes in the order of the new list, then what is gone. */
export function changesBetween<T extends KubernetesObject>(
  before: Objects<T>,
  after: Objects<T>,
  resourceVersion: string,
): Change<T>[] {
  const changes: Change<T>[] = [];
  for (const [key, object] of after) {
    const previous = before.get(key);
    if (!previous) changes.push({ type: "ADDED", object });
    else if (!equalJson(previous, object)) changes.push({ type: "MODIFIED", object, previous });
  }
  for (const [key, previous] of before)
    if (!after.has(key)) {
      const object = { ...previous, metadata: { ...previous.metadata, resourceVersion } } as DeepReadonly<T>;
      changes.push({ type: "DELETED", object, previous });
    }
  return changes;
}

const pause = (clock: Clock, ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = clock.setTimer(ms, resolve);
    signal.addEventListener(
      "abort",
      () => {
        timer.cancel();
        resolve();
      },
      { once: true },
    );
  });
