import type { CacheEntry } from "./cache-entry.js";
import { type CacheEvent, type Delivery, eventType } from "./cache-event.js";
import { type Selection, selects } from "./selection.js";
import type { QueuedWatcher } from "./watcher.js";

/** Watchers that want the same thing: an event is matched once for all of them, and the events of one iteration of the event loop are one shared array. */
interface WatcherGroup {
  readonly selection: Selection;
  readonly bucket: string;
  readonly watchers: Set<QueuedWatcher>;
  queued: Delivery[];
}

export interface WatcherIndex {
  add(selection: Selection, watcher: QueuedWatcher): void;
  remove(selection: Selection, watcher: QueuedWatcher): void;
  /** Finds who wants the event and queues it for the next flush. */
  dispatch(event: CacheEvent): void;
  /** Flush: hands over the queued events. */
  flush(): void;
  /** What past events are to somebody with this selection. */
  deliveries(selection: Selection, events: readonly CacheEvent[]): Delivery[];
  all(): Iterable<QueuedWatcher>;
  size(): number;
}

/**
 * Watchers by what they can match: one object, one namespace, one value of the indexed field (pods: spec.nodeName), or anything.
 * An event looks only into the buckets it can be in, so a pod event reaches two kubelets and not all of them.
 */
export function createWatcherIndex(indexedField: string | undefined): WatcherIndex {
  const groups = new Map<string, WatcherGroup>();
  const buckets = new Map<string, Set<WatcherGroup>>();
  /** Watchers with events to flush. */
  let dirty: WatcherGroup[] = [];
  let count = 0;

  function groupFor(selection: Selection): WatcherGroup {
    const known = groups.get(selection.id);
    if (known) return known;
    const group: WatcherGroup = {
      selection,
      bucket: bucketOf(selection, indexedField),
      watchers: new Set(),
      queued: [],
    };
    groups.set(selection.id, group);
    let bucket = buckets.get(group.bucket);
    if (!bucket) buckets.set(group.bucket, (bucket = new Set()));
    bucket.add(group);
    return group;
  }

  function queue(group: WatcherGroup, event: CacheEvent): void {
    const delivery = deliveryTo(group.selection, event);
    if (!delivery) return;
    if (group.queued.length === 0) dirty.push(group);
    group.queued.push(delivery);
  }

  return {
    add(selection, watcher) {
      const group = groupFor(selection);
      flushGroup(group); // the new watcher has these already
      group.watchers.add(watcher);
      count++;
    },
    remove(selection, watcher) {
      const group = groups.get(selection.id);
      if (!group?.watchers.delete(watcher)) return;
      count--;
      if (group.watchers.size > 0) return;
      groups.delete(selection.id);
      const bucket = buckets.get(group.bucket);
      bucket?.delete(group);
      if (bucket?.size === 0) buckets.delete(group.bucket);
    },
    dispatch(event) {
      const entry = event.current ?? event.previous;
      if (count === 0 || !entry) return;
      const queueIn = (bucket: string): void => buckets.get(bucket)?.forEach((group) => queue(group, event));
      // Before and after, an object has the same name and namespace.
      queueIn("all");
      if (entry.namespace !== "") {
        queueIn(`namespace ${entry.namespace}`);
        queueIn(`name ${entry.namespace}/${entry.name}`);
      }
      queueIn(`name /${entry.name}`); // of an object without namespace, or by a field selector on the name over all namespaces
      const before = fieldBucket(event.previous, indexedField);
      const after = fieldBucket(event.current, indexedField);
      if (before !== undefined) queueIn(before);
      if (after !== undefined && after !== before) queueIn(after);
    },
    flush() {
      if (dirty.length === 0) return;
      const groupsOfTurn = dirty;
      dirty = [];
      for (const group of groupsOfTurn) flushGroup(group);
    },
    deliveries: (selection, events) => events.flatMap((event) => deliveryTo(selection, event) ?? []),
    *all() {
      for (const group of groups.values()) yield* group.watchers;
    },
    size: () => count,
  };
}

function bucketOf(selection: Selection, indexedField: string | undefined): string {
  if (selection.name !== "") return `name ${selection.namespace}/${selection.name}`;
  const value = indexedField === undefined ? undefined : selection.fields?.requiresExactMatch(indexedField);
  if (value !== undefined && value !== "") return `field ${value}`;
  return selection.namespace === "" ? "all" : `namespace ${selection.namespace}`;
}

function fieldBucket(entry: CacheEntry | undefined, indexedField: string | undefined): string | undefined {
  const value = indexedField === undefined ? undefined : entry?.fields?.[indexedField];
  return value ? `field ${value}` : undefined;
}

function flushGroup(group: WatcherGroup): void {
  const events = group.queued;
  if (events.length === 0) return;
  group.queued = [];
  for (const watcher of group.watchers) watcher.push(events);
}

/** An object that stops matching is DELETED to this watcher, one that begins to match is ADDED. */
function deliveryTo(selection: Selection, event: CacheEvent): Delivery | undefined {
  const type = eventType(
    event.previous !== undefined && selects(selection, event.previous),
    event.current !== undefined && selects(selection, event.current),
  );
  return type && event.deliveryOf(type);
}
