import { createHeap } from "../stores/heap.js";
import { type RateLimitingQueue, type RateLimitingQueueOptions, RateLimitingWorkQueue } from "./rate-limiting-queue.js";
import type { ReadyItems } from "./ready-items.js";

/** For work that nobody waits for: objects of the first list, resyncs. controller-runtime's number. */
export const lowPriority = -100;

/** A rate-limiting queue that hands out what matters more first; among equals, what came first. */
export interface PriorityQueue<T> extends RateLimitingQueue<T> {
  /** Adding an item that waits can make it come earlier or raise its priority, never the opposite. */
  addWith(options: AddOptions, ...items: readonly T[]): void;
  /** Like `get`, with the priority that the item had; hand it to `addWith` when the item must be tried again. */
  getWithPriority(signal?: AbortSignal): Promise<{ readonly item: T; readonly priority: number } | undefined>;
}

export interface AddOptions {
  /** @default 0 */
  priority?: number;
  /** Not before so many milliseconds. @default 0 */
  afterMs?: number;
  /** Not before the rate limiter allows it. @default false */
  rateLimited?: boolean;
}

/** Keeps the priority of every item from its addition until a worker has it. */
class PrioritizedItems<T> implements ReadyItems<T> {
  readonly #heap = createHeap<{ item: T; priority: number; order: number }, T>(
    ({ item }) => item,
    (a, b) => a.priority > b.priority || (a.priority === b.priority && a.order < b.order),
  );
  readonly #priorities = new Map<T, number>();
  #order = 0;
  /** Of the item that was popped last. */
  popped = 0;

  get size(): number {
    return this.#heap.size;
  }

  raise(item: T, priority: number): void {
    const before = this.#priorities.get(item);
    if (before === undefined || priority > before) this.#priorities.set(item, priority);
  }

  push(item: T): void {
    this.#heap.add({ item, priority: this.#priorities.get(item) ?? 0, order: this.#order++ });
  }

  touch(item: T): void {
    const waiting = this.#heap.get(item);
    const priority = this.#priorities.get(item) ?? 0;
    if (waiting !== undefined && priority > waiting.priority) this.#heap.add({ ...waiting, priority });
  }

  /** Skips only items of the same priority. */
  pop(skip = 0): T | undefined {
    const skipped = [];
    let top = this.#heap.pop();
    if (top === undefined) return undefined;
    while (skipped.length < skip && this.#heap.peek()?.priority === top.priority) {
      skipped.push(top);
      top = this.#heap.pop() ?? top;
    }
    for (const item of skipped) this.#heap.add(item);
    this.#priorities.delete(top.item);
    this.popped = top.priority;
    return top.item;
  }
}

class PriorityWorkQueue<T> extends RateLimitingWorkQueue<T> implements PriorityQueue<T> {
  readonly #items: PrioritizedItems<T>;
  /** The priority with which a worker holds an item. */
  readonly #held = new Map<T, number>();

  constructor(options?: RateLimitingQueueOptions<T>) {
    const items = new PrioritizedItems<T>();
    super(options, items);
    this.#items = items;
  }

  override add(item: T): void {
    if (this.isShuttingDown) return;
    // A delayed item may have a priority of its own; a plain addition counts as zero.
    this.#items.raise(item, 0);
    super.add(item);
  }

  addWith({ priority = 0, afterMs = 0, rateLimited = false }: AddOptions, ...items: readonly T[]): void {
    if (this.isShuttingDown) return;
    for (const item of items) {
      this.#items.raise(item, priority);
      const wait = Math.max(afterMs, rateLimited ? this.limit(item) : 0);
      if (wait > 0) this.addAfter(item, wait);
      else super.add(item);
    }
  }

  override get(signal?: AbortSignal): Promise<T | undefined> {
    return this.getWithPriority(signal).then((got) => got?.item);
  }

  async getWithPriority(signal?: AbortSignal): Promise<{ readonly item: T; readonly priority: number } | undefined> {
    const item = await super.get(signal);
    return item === undefined ? undefined : { item, priority: this.#held.get(item) ?? 0 };
  }

  protected override handedOut(item: T): void {
    this.#held.set(item, this.#items.popped);
  }

  override done(item: T): void {
    this.#held.delete(item);
    super.done(item);
  }
}

export const createPriorityQueue = <T>(options?: RateLimitingQueueOptions<T>): PriorityQueue<T> =>
  new PriorityWorkQueue<T>(options);
