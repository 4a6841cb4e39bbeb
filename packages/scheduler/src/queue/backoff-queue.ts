import { createHeap } from "@coxswain/client/stores";
import type { Clock, Timer } from "@coxswain/runtime/clock";
import type { QueuedPod } from "../framework/queued-pod.js";

export interface BackoffQueueOptions {
  readonly clock: Clock;
  readonly initialMs: number;
  readonly maxMs: number;
  /** The order of the active queue, for pods whose back-off ends together. */
  less(a: QueuedPod, b: QueuedPod): boolean;
  /** Called when the back-off of some pod has ended. */
  onDue(): void;
}

/** Pods that were tried and wait before the next try. Those that failed by an error wait apart: only time helps them. */
export interface BackoffQueue {
  isBackingOff(pod: QueuedPod): boolean;
  add(pod: QueuedPod): void;
  get(key: string): QueuedPod | undefined;
  /** After a change of the pod. */
  update(pod: QueuedPod): void;
  delete(key: string): boolean;
  /** The one that is due first, before its time; never one that failed by an error. */
  popEarly(): QueuedPod | undefined;
  takeDue(): QueuedPod[];
  readonly size: number;
  /** Without those that failed by an error. */
  readonly earlySize: number;
  list(): QueuedPod[];
  stop(): void;
}

/** Back-offs end on whole seconds, so that pods whose back-off ends together are tried by priority. */
const windowMs = 1000;
const alignDown = (ms: number): number => Math.floor(ms / windowMs) * windowMs;

export function createBackoffQueue(options: BackoffQueueOptions): BackoffQueue {
  const { clock, initialMs, maxMs } = options;
  const less = (a: QueuedPod, b: QueuedPod): boolean => {
    const [first, second] = [endOf(a), endOf(b)];
    return first === second ? options.less(a, b) : first < second;
  };
  const keyOf = (pod: QueuedPod): string => pod.key;
  const refused = createHeap(keyOf, less);
  const failed = createHeap(keyOf, (a: QueuedPod, b: QueuedPod) => endOf(a) < endOf(b));
  let timer: Timer | undefined;
  let timerDue = Number.POSITIVE_INFINITY;

  function endOf(pod: QueuedPod): number {
    const count = pod.consecutiveErrors > 0 ? pod.consecutiveErrors : pod.unschedulableCount;
    if (maxMs === 0 || count === 0) return 0;
    if (pod.backoffExpiration === 0)
      pod.backoffExpiration = alignDown(pod.timestamp + Math.min(initialMs * 2 ** (count - 1), maxMs));
    return pod.backoffExpiration;
  }

  const isBackingOff = (pod: QueuedPod): boolean => endOf(pod) >= alignDown(clock.now());

  /** One timer, for the pod whose back-off ends first; none while the queue is empty. */
  function arm(): void {
    let due = Number.POSITIVE_INFINITY;
    for (const first of [refused.peek(), failed.peek()]) if (first) due = Math.min(due, endOf(first) + windowMs);
    if (due >= timerDue) return;
    timer?.cancel();
    timerDue = due;
    timer = clock.setTimer(Math.max(0, due - clock.now()), () => {
      timerDue = Number.POSITIVE_INFINITY;
      options.onDue();
      arm();
    });
  }

  return {
    isBackingOff,
    add(pod) {
      const heap = pod.unschedulablePlugins.size === 0 && pod.pendingPlugins.size === 0 ? failed : refused;
      heap.add(pod);
      arm();
    },
    get: (key) => refused.get(key) ?? failed.get(key),
    update(pod) {
      for (const heap of [refused, failed]) if (heap.get(pod.key)) heap.add(pod);
    },
    delete: (key) => refused.delete(key) || failed.delete(key),
    popEarly: () => refused.pop(),
    takeDue() {
      const due: QueuedPod[] = [];
      for (const heap of [refused, failed])
        for (let first = heap.peek(); first && !isBackingOff(first); first = heap.peek()) {
          heap.pop();
          due.push(first);
        }
      return due;
    },
    get size() {
      return refused.size + failed.size;
    },
    get earlySize() {
      return refused.size;
    },
    list: () => [...refused.list(), ...failed.list()],
    stop() {
      timer?.cancel();
      timerDue = Number.NEGATIVE_INFINITY;
    },
  };
}
