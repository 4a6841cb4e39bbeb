import type { ObjectDelta } from "./delta.js";
import type { DeltaQueue, DeltaQueueOptions, KnownObjects } from "./delta-queue.js";

export interface DeltaFifoOptions<T> extends DeltaQueueOptions<T> {
  /** The consumer's state. Without it only deletions of queued objects are found. */
  known?: KnownObjects<T>;
}

/**
 * The classic queue of client-go: all changes of one object since it was last handed out come together, in order, at the
 * place of the first. Two deletions in a row are one. Bookmarks are not handed out: changes of different objects change
 * places, so a resourceVersion does not show what was processed.
 */
export function createDeltaFifo<T>({ keyOf, onReady = () => {}, known }: DeltaFifoOptions<T>): DeltaQueue<T> {
  // A Map is in the order of insertion, and setting a key again keeps its place: that is the queue.
  const items = new Map<string, ObjectDelta<T>[]>();
  let populated = false;
  let initial = 0;

  function push(key: string, delta: ObjectDelta<T>): void {
    const deltas = items.get(key);
    if (deltas === undefined) items.set(key, [delta]);
    else appendDelta(deltas, delta);
    onReady();
  }
  function change(delta: ObjectDelta<T>): void {
    populated = true;
    push(keyOf(delta.object), delta);
  }
  function deleteMissing(key: string, object: T): void {
    push(key, { type: "Deleted", object, finalStateUnknown: true });
  }
  const hasSynced = (): boolean => populated && initial === 0;

  return {
    add: (object) => change({ type: "Added", object }),
    update: (object) => change({ type: "Updated", object }),
    delete(object) {
      populated = true;
      const key = keyOf(object);
      // A list has already reported the deletion.
      if (!items.has(key) && known?.getByKey(key) === undefined) return;
      push(key, { type: "Deleted", object, finalStateUnknown: false });
    },
    replace(objects) {
      const keys = new Set<string>();
      for (const object of objects) {
        const key = keyOf(object);
        keys.add(key);
        push(key, { type: "Replaced", object });
      }
      let deletions = 0;
      for (const [key, deltas] of items) {
        if (keys.has(key)) continue;
        deleteMissing(key, (deltas.at(-1) as ObjectDelta<T>).object);
        deletions++;
      }
      for (const key of known?.keys() ?? []) {
        if (keys.has(key) || items.has(key)) continue;
        const object = known?.getByKey(key);
        if (object === undefined) continue;
        deleteMissing(key, object);
        deletions++;
      }
      if (populated) return;
      populated = true;
      initial = keys.size + deletions;
    },
    bookmark() {},
    resync() {
      for (const key of known?.keys() ?? []) {
        // A queued change is newer than what is known.
        if (items.has(key)) continue;
        const object = known?.getByKey(key);
        if (object !== undefined) push(key, { type: "Sync", object });
      }
    },
    pop(process) {
      for (const [key, deltas] of items) {
        const isInInitialList = !hasSynced();
        items.delete(key);
        try {
          process(deltas, isInInitialList);
        } finally {
          // Only now: a caller that sees `hasSynced` finds the objects in the indexer.
          if (initial > 0) initial--;
        }
        return true;
      }
      return false;
    },
    get hasSynced() {
      return hasSynced();
    },
    get size() {
      return items.size;
    },
  };
}

/** Of two deletions in a row the one that knows the final state stays. */
function appendDelta<T>(deltas: ObjectDelta<T>[], delta: ObjectDelta<T>): void {
  const last = deltas.at(-1);
  if (last?.type !== "Deleted" || delta.type !== "Deleted") deltas.push(delta);
  else if (last.finalStateUnknown) deltas[deltas.length - 1] = delta;
}
