import type { Delta } from "./delta.js";
import type { DeltaQueue, DeltaQueueOptions } from "./delta-queue.js";

/** The most deltas handed out at once; upstream's number. */
const batchSize = 1000;

/**
 * Hands out every change in the order in which the server sent it. A list is one delta (ReplacedAll) and so is a resync
 * (SyncAll): the consumer compares them with its own state, which no change can overtake. Upstream calls it RealFIFO
 * with AtomicEvents.
 */
export function createInOrderFifo<T>({ onReady = () => {} }: Partial<DeltaQueueOptions<T>> = {}): DeltaQueue<T> {
  let items: Delta<T>[] = [];
  let head = 0;
  let populated = false;
  /** How many of the waiting deltas belong to the first list. */
  let initial = 0;

  function push(delta: Delta<T>): void {
    items.push(delta);
    onReady();
  }
  function change(delta: Delta<T>): void {
    populated = true;
    push(delta);
  }
  const hasSynced = (): boolean => populated && initial === 0;

  function take(): Delta<T>[] {
    let end = head;
    const limit = Math.min(items.length, head + (initial > 0 ? initial : batchSize));
    while (end < limit && isBatchable(items[end] as Delta<T>)) end++;
    if (end === head) end++;
    const batch = items.slice(head, end);
    head = end;
    if (head === items.length) {
      items = [];
      head = 0;
    } else if (head > batchSize) {
      items.splice(0, head);
      head = 0;
    }
    return batch;
  }

  return {
    add: (object) => change({ type: "Added", object }),
    update: (object) => change({ type: "Updated", object }),
    delete: (object) => change({ type: "Deleted", object, finalStateUnknown: false }),
    replace(objects, resourceVersion) {
      if (!populated) {
        populated = true;
        initial = items.length - head + 1;
      }
      push({ type: "ReplacedAll", objects, resourceVersion });
    },
    bookmark: (resourceVersion) => push({ type: "Bookmark", resourceVersion }),
    resync: () => push({ type: "SyncAll" }),
    pop(process) {
      if (head === items.length) return false;
      const isInInitialList = !hasSynced();
      const batch = take();
      try {
        process(batch, isInInitialList);
      } finally {
        // Only now: a caller that sees `hasSynced` finds the objects in the indexer.
        initial = Math.max(0, initial - batch.length);
      }
      return true;
    },
    get hasSynced() {
      return hasSynced();
    },
    get size() {
      return items.length - head;
    },
  };
}

/** Changes of single objects go together; a list, a resync and a bookmark are processed alone. */
const isBatchable = ({ type }: Delta<unknown>): boolean =>
  type !== "ReplacedAll" && type !== "SyncAll" && type !== "Bookmark";
