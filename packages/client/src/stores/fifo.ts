import { type CachedObject, type KeyFunction, keyOf } from "./cached-object.js";

/** A queue of keys whose newest object is handed out: an object that changes while it waits is handed out once, as it is then. */
export interface Fifo<T> {
  add(object: T): void;
  update(object: T): void;
  /** It is not handed out any more. */
  delete(object: T): void;
  replace(objects: readonly T[]): void;
  /** The next object, or undefined when nothing waits. */
  tryPop(): T | undefined;
  /** The next object, as soon as there is one; undefined once the queue is closed and empty. Rejects when the signal aborts. */
  pop(signal?: AbortSignal): Promise<T | undefined>;
  /** True once what the first `replace` put in was popped, or if something else came before any `replace`. */
  readonly hasSynced: boolean;
  list(): T[];
  readonly size: number;
  close(): void;
}

export function createFifo<T extends CachedObject>(options: { keyOf?: KeyFunction<T> } = {}): Fifo<T> {
  const key = options.keyOf ?? keyOf;
  // A Map is in the order of insertion, and setting a key again keeps its place: that is the queue.
  const items = new Map<string, T>();
  const waiting: (() => void)[] = [];
  let initial = 0;
  let populated = false;
  let closed = false;

  function put(object: T): void {
    items.set(key(object), object);
    waiting.shift()?.();
  }
  function change(object: T): void {
    populated = true;
    put(object);
  }
  function tryPop(): T | undefined {
    for (const [first, object] of items) {
      items.delete(first);
      if (initial > 0) initial--;
      return object;
    }
    return undefined;
  }
  /** Resolves on the next addition or on close. */
  function changed(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const done = (): void => {
        signal?.removeEventListener("abort", abort);
        resolve();
      };
      const abort = (): void => {
        waiting.splice(waiting.indexOf(done), 1);
        reject(signal?.reason);
      };
      waiting.push(done);
      signal?.addEventListener("abort", abort, { once: true });
    });
  }

  return {
    add: change,
    update: change,
    delete(object) {
      populated = true;
      items.delete(key(object));
    },
    replace(objects) {
      items.clear();
      for (const object of objects) put(object);
      if (populated) return;
      populated = true;
      initial = items.size;
    },
    tryPop,
    async pop(signal) {
      for (;;) {
        const object = tryPop();
        if (object !== undefined || closed) return object;
        await changed(signal);
      }
    },
    get hasSynced() {
      return populated && initial === 0;
    },
    list: () => [...items.values()],
    get size() {
      return items.size;
    },
    close() {
      closed = true;
      for (const wake of waiting.splice(0)) wake();
    },
  };
}
