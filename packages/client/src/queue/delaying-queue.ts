import type { Timer } from "@coxswain/runtime/clock";
import { createHeap } from "../stores/heap.js";
import { PlainWorkQueue, type WorkQueue, type WorkQueueOptions } from "./work-queue.js";

/** A work queue with items that come later. */
export interface DelayingQueue<T> extends WorkQueue<T> {
  /** Adds the item after so many milliseconds. Of several delays of one item the shortest counts. */
  addAfter(item: T, ms: number): void;
  /** How many items wait for their time. */
  readonly delayed: number;
}

interface Delayed<T> {
  readonly item: T;
  readonly due: number;
  /** Items of one moment come in the order in which they were added. */
  readonly order: number;
}

/** @internal */
export class DelayingWorkQueue<T> extends PlainWorkQueue<T> implements DelayingQueue<T> {
  readonly #delayed = createHeap<Delayed<T>, T>(
    ({ item }) => item,
    (a, b) => a.due < b.due || (a.due === b.due && a.order < b.order),
  );
  #order = 0;
  #timer: { readonly due: number; readonly timer: Timer } | undefined;

  get delayed(): number {
    return this.#delayed.size;
  }

  addAfter(item: T, ms: number): void {
    if (this.isShuttingDown) return;
    this.metrics.retried();
    if (ms <= 0) {
      this.add(item);
      return;
    }
    const due = this.clock.monotonic() + ms;
    const existing = this.#delayed.get(item);
    if (existing !== undefined && existing.due <= due) return;
    // Who has an event now queues it because of that, however late it comes.
    if (this.trace?.handling !== undefined) this.trace.queued(this.name, item);
    this.#delayed.add({ item, due, order: this.#order++ });
    this.#arm();
  }

  override shutDown(): void {
    this.#timer?.timer.cancel();
    this.#timer = undefined;
    super.shutDown();
  }

  /** One timer, for the item that is due next. */
  #arm(): void {
    const next = this.#delayed.peek();
    if (this.#timer?.due === next?.due) return;
    this.#timer?.timer.cancel();
    this.#timer =
      next === undefined
        ? undefined
        : { due: next.due, timer: this.clock.setTimer(next.due - this.clock.monotonic(), () => this.#fire()) };
  }

  #fire(): void {
    this.#timer = undefined;
    const now = this.clock.monotonic();
    for (let next = this.#delayed.peek(); next !== undefined && next.due <= now; next = this.#delayed.peek()) {
      this.#delayed.pop();
      // Not `this.add`: a queue that knows more of an item learned it when the item was delayed.
      super.add(next.item);
    }
    this.#arm();
  }
}

export const createDelayingQueue = <T>(options?: WorkQueueOptions): DelayingQueue<T> =>
  new DelayingWorkQueue<T>(options);
