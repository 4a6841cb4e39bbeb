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
export const createDeltaFifo = <T>(options: DeltaFifoOptions<T>): DeltaQueue<T> => new DeltaFifo(options);

class DeltaFifo<T> implements DeltaQueue<T> {
  readonly #keyOf: (object: T) => string;
  readonly #onReady: () => void;
  readonly #known: KnownObjects<T> | undefined;
  /** A Map is in the order of insertion, and setting a key again keeps its place: that is the queue. */
  readonly #items = new Map<string, ObjectDelta<T>[]>();
  #populated = false;
  #initial = 0;

  constructor({ keyOf, onReady = () => {}, known }: DeltaFifoOptions<T>) {
    this.#keyOf = keyOf;
    this.#onReady = onReady;
    this.#known = known;
  }

  get hasSynced(): boolean {
    return this.#populated && this.#initial === 0;
  }

  get size(): number {
    return this.#items.size;
  }

  add(object: T): void {
    this.#change({ type: "Added", object });
  }

  update(object: T): void {
    this.#change({ type: "Updated", object });
  }

  delete(object: T): void {
    this.#populated = true;
    const key = this.#keyOf(object);
    // A list has already reported the deletion.
    if (!this.#items.has(key) && this.#known?.getByKey(key) === undefined) return;
    this.#push(key, { type: "Deleted", object, finalStateUnknown: false });
  }

  replace(objects: readonly T[]): void {
    const keys = new Set<string>();
    for (const object of objects) {
      const key = this.#keyOf(object);
      keys.add(key);
      this.#push(key, { type: "Replaced", object });
    }
    const deletions = this.#deleteMissing(keys);
    if (this.#populated) return;
    this.#populated = true;
    this.#initial = keys.size + deletions;
  }

  bookmark(): void {}

  resync(): void {
    for (const key of this.#known?.keys() ?? []) {
      // A queued change is newer than what is known.
      if (this.#items.has(key)) continue;
      const object = this.#known?.getByKey(key);
      if (object !== undefined) this.#push(key, { type: "Sync", object });
    }
  }

  pop(process: Parameters<DeltaQueue<T>["pop"]>[0]): boolean {
    for (const [key, deltas] of this.#items) {
      const isInInitialList = !this.hasSynced;
      this.#items.delete(key);
      try {
        process(deltas, isInInitialList);
      } finally {
        // Only now: a caller that sees `hasSynced` finds the objects in the indexer.
        if (this.#initial > 0) this.#initial--;
      }
      return true;
    }
    return false;
  }

  /** Of objects that a list no longer has. Returns how many. */
  #deleteMissing(keys: ReadonlySet<string>): number {
    let deletions = 0;
    const remove = (key: string, object: T): void => {
      this.#push(key, { type: "Deleted", object, finalStateUnknown: true });
      deletions++;
    };
    for (const [key, deltas] of this.#items) if (!keys.has(key)) remove(key, (deltas.at(-1) as ObjectDelta<T>).object);
    for (const key of this.#known?.keys() ?? []) {
      if (keys.has(key) || this.#items.has(key)) continue;
      const object = this.#known?.getByKey(key);
      if (object !== undefined) remove(key, object);
    }
    return deletions;
  }

  #change(delta: ObjectDelta<T>): void {
    this.#populated = true;
    this.#push(this.#keyOf(delta.object), delta);
  }

  #push(key: string, delta: ObjectDelta<T>): void {
    const deltas = this.#items.get(key);
    if (deltas === undefined) this.#items.set(key, [delta]);
    else appendDelta(deltas, delta);
    this.#onReady();
  }
}

/** Of two deletions in a row the one that knows the final state stays. */
function appendDelta<T>(deltas: ObjectDelta<T>[], delta: ObjectDelta<T>): void {
  const last = deltas.at(-1);
  if (last?.type !== "Deleted" || delta.type !== "Deleted") deltas.push(delta);
  else if (last.finalStateUnknown) deltas[deltas.length - 1] = delta;
}
