import type { Indexer } from "../stores/index.js";
import type { Delta, ObjectDelta } from "./delta.js";

/** What became of the deltas, in their order. The indexer already holds the new state when it is called. */
export interface ChangeSink<T> {
  added(object: T, isInInitialList: boolean): void;
  updated(old: T, object: T): void;
  deleted(object: T, finalStateUnknown: boolean): void;
}

/** Brings the indexer to the state that the deltas describe and reports each change. */
export function applyDeltas<T>(
  indexer: Indexer<T>,
  deltas: readonly Delta<T>[],
  isInInitialList: boolean,
  sink: ChangeSink<T>,
): void {
  for (const delta of deltas) {
    switch (delta.type) {
      case "ReplacedAll":
        replaceAll(indexer, delta, isInInitialList, sink);
        break;
      case "SyncAll":
        for (const object of indexer.list()) sink.updated(object, object);
        break;
      case "Bookmark":
        indexer.bookmark(delta.resourceVersion);
        break;
      default:
        applyOne(indexer, delta, isInInitialList, sink);
    }
  }
}

function applyOne<T>(indexer: Indexer<T>, delta: ObjectDelta<T>, initial: boolean, sink: ChangeSink<T>): void {
  if (delta.type === "Deleted") {
    indexer.delete(delta.object);
    sink.deleted(delta.object, delta.finalStateUnknown);
    return;
  }
  const old = indexer.add(delta.object);
  if (old === undefined) sink.added(delta.object, initial);
  else sink.updated(old, delta.object);
}

/** Deletions are reported first, then the listed objects in the order of the list. */
function replaceAll<T>(
  indexer: Indexer<T>,
  { objects, resourceVersion }: { readonly objects: readonly T[]; readonly resourceVersion: string },
  initial: boolean,
  sink: ChangeSink<T>,
): void {
  const before = indexer.list();
  const olds = before.length === 0 ? [] : objects.map((object) => indexer.get(object));
  indexer.replace(objects, resourceVersion);
  for (const object of before) if (indexer.get(object) === undefined) sink.deleted(object, true);
  for (const [at, object] of objects.entries()) {
    const old = olds[at];
    if (old === undefined) sink.added(object, initial);
    else sink.updated(old, object);
  }
}
