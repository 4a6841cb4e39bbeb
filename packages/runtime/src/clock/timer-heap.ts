export interface PendingTimer {
  due: number;
  /** How long it waits in all. */
  readonly ms: number;
  /** Timers of one instant fire in the order they were set. */
  readonly order: number;
  fire: (() => void) | undefined;
}

export const earlier = (a: PendingTimer, b: PendingTimer): boolean =>
  a.due < b.due || (a.due === b.due && a.order < b.order);

/** A heap of timers, the next one on top. Cancelled timers (without `fire`) are dropped when they come up. */
export class TimerHeap {
  readonly #heap: PendingTimer[] = [];

  push(timer: PendingTimer): void {
    const heap = this.#heap;
    let at = heap.length;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = heap[parent] as PendingTimer;
      if (!earlier(timer, above)) break;
      heap[at] = above;
      at = parent;
    }
    heap[at] = timer;
  }

  /** Puts all of them off. */
  delay(ms: number): void {
    for (const timer of this.#heap) timer.due += ms;
  }

  /** The longest wait there is. */
  longest(): number {
    let longest = 0;
    for (const timer of this.#heap) if (timer.fire && timer.ms > longest) longest = timer.ms;
    return longest;
  }

  peek(): PendingTimer | undefined {
    while (this.#heap[0] !== undefined && this.#heap[0].fire === undefined) this.#removeTop();
    return this.#heap[0];
  }

  pop(): PendingTimer | undefined {
    const top = this.peek();
    if (top !== undefined) this.#removeTop();
    return top;
  }

  #removeTop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && earlier(heap[child + 1] as PendingTimer, heap[child] as PendingTimer)) child++;
      if (!earlier(heap[child] as PendingTimer, last)) break;
      heap[at] = heap[child] as PendingTimer;
      at = child;
    }
    heap[at] = last;
  }
}
