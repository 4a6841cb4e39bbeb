import type { Delta } from "./delta.js";

/** Where a reflector puts what it learns. Every `Store` is one. */
export interface ReflectorTarget<T> {
  add(object: T): void;
  update(object: T): void;
  delete(object: T): void;
  replace(objects: readonly T[], resourceVersion: string): void;
  bookmark(resourceVersion: string): void;
}

/**
 * Deltas on their way to one consumer. Two implementations: the in-order FIFO (the default since client-go 1.36) hands out
 * every change in the order in which it came; the classic delta FIFO hands out all changes of one object together.
 */
export interface DeltaQueue<T> extends ReflectorTarget<T> {
  /** Has every known object handed out again. */
  resync(): void;
  /**
   * Hands the next deltas to `process`; false when nothing waits. They have left the queue even if `process` throws.
   * `isInInitialList`: they belong to the first list.
   */
  pop(process: (deltas: readonly Delta<T>[], isInInitialList: boolean) => void): boolean;
  /** True once what the first `replace` put in was processed, or if another change came before any `replace`. */
  readonly hasSynced: boolean;
  /** How many deltas (in order) or keys (classic) wait. */
  readonly size: number;
}

/** What a queue needs to know of the consumer's state to find deletions and to resync. */
export interface KnownObjects<T> {
  keys(): string[];
  getByKey(key: string): T | undefined;
}

export interface DeltaQueueOptions<T> {
  keyOf: (object: T) => string;
  /** Something can be popped. Called for every change. */
  onReady?: () => void;
}
