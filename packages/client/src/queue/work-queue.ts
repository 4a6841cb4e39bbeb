import { largest } from "@coxswain/apimachinery/append";
import { type Runtime, systemRuntime } from "@coxswain/runtime";
import type { Activity, WorkTrace } from "@coxswain/runtime/activity";
import type { Clock } from "@coxswain/runtime/clock";
import { noQueueMetrics, type QueueMetrics, type QueueMetricsProvider } from "./queue-metrics.js";
import { createFifoItems, type ReadyItems } from "./ready-items.js";

/**
 * Items to be worked on, each once however often it is added, and never by two workers at the same time: an item that is
 * added while it is worked on comes again when that is done. Items are compared as the keys of a Map are: use texts.
 */
export interface WorkQueue<T> {
  /** "" where it was given none. */
  readonly name: string;
  /** Ignored once the queue is shut down. */
  add(item: T): void;
  /**
   * The next item, as soon as there is one; `done` must be called for it. Undefined when the queue is shut down and empty,
   * or the signal aborts: the worker ends.
   */
  get(signal?: AbortSignal): Promise<T | undefined>;
  /** The worker has finished with the item, well or not. */
  done(item: T): void;
  /** How many items wait for a worker. */
  readonly size: number;
  /** Nothing more is taken in. Workers still receive what waits, then undefined. */
  shutDown(): void;
  /** Shuts down and resolves once everything was worked on, or the signal aborts. */
  drain(signal?: AbortSignal): Promise<void>;
  readonly isShuttingDown: boolean;
}

export interface WorkQueueOptions {
  /** A queue with a name reports metrics. */
  name?: string;
  metrics?: QueueMetricsProvider;
  /**
   * Its `activity` counts items from the moment a worker has them until `done`; a waiting item is under way only if a worker takes it, and a
   * free worker takes it at once. @default systemRuntime()
   */
  runtime?: Runtime;
}

/** @internal The other queues build on it. */
export class PlainWorkQueue<T> implements WorkQueue<T> {
  protected readonly clock: Clock;
  protected readonly metrics: QueueMetrics;
  readonly #activity: Activity;
  readonly name: string;
  readonly #ready: ReadyItems<T>;
  /** Items that need work, with the time they were added. Those not in `#processing` are in `#ready`, too. */
  readonly #dirty = new Map<T, number>();
  /** Items that a worker has, with the time it got them. */
  readonly #processing = new Map<T, number>();
  #waiting: ((item: T | undefined) => void)[] = [];
  #idle: (() => void)[] = [];
  #shuttingDown = false;

  constructor(options: WorkQueueOptions = {}, ready: ReadyItems<T> = createFifoItems<T>()) {
    const { name, metrics, runtime = systemRuntime() } = options;
    this.clock = runtime.clock;
    this.#activity = runtime.activity;
    this.name = name ?? "";
    this.#ready = ready;
    this.metrics = name !== undefined && metrics !== undefined ? metrics(name, this.#gauges()) : noQueueMetrics;
  }

  protected get trace(): WorkTrace | undefined {
    return this.#activity.trace;
  }

  get size(): number {
    return this.#ready.size;
  }

  get isShuttingDown(): boolean {
    return this.#shuttingDown;
  }

  add(item: T): void {
    if (this.#shuttingDown) return;
    this.trace?.queued(this.name, item);
    if (this.#dirty.has(item)) {
      if (!this.#processing.has(item)) this.#ready.touch(item);
      return;
    }
    this.metrics.added();
    this.#dirty.set(item, this.clock.monotonic());
    if (!this.#processing.has(item)) this.#makeReady(item);
  }

  get(signal?: AbortSignal): Promise<T | undefined> {
    if (signal?.aborted) return Promise.resolve(undefined);
    const item = this.#take();
    if (item !== undefined || this.#shuttingDown) return Promise.resolve(item);
    return new Promise((resolve) => {
      const settle = (given: T | undefined): void => {
        signal?.removeEventListener("abort", leave);
        resolve(given);
      };
      const leave = (): void => {
        this.#waiting = this.#waiting.filter((other) => other !== settle);
        resolve(undefined);
      };
      this.#waiting.push(settle);
      signal?.addEventListener("abort", leave, { once: true });
    });
  }

  done(item: T): void {
    const since = this.#processing.get(item);
    if (since === undefined) return;
    this.#processing.delete(item);
    this.trace?.ended(this.name, item);
    this.metrics.worked((this.clock.monotonic() - since) / 1000);
    if (this.#dirty.has(item)) this.#makeReady(item);
    this.#activity.end();
    this.#notifyIdle();
  }

  shutDown(): void {
    this.#shuttingDown = true;
    const waiting = this.#waiting;
    this.#waiting = [];
    // Workers that wait have seen that nothing is ready.
    for (const end of waiting) end(undefined);
    this.#notifyIdle();
  }

  drain(signal?: AbortSignal): Promise<void> {
    this.shutDown();
    if (this.#isIdle()) return Promise.resolve();
    return new Promise((resolve) => {
      this.#idle.push(resolve);
      signal?.addEventListener("abort", () => resolve(), { once: true });
    });
  }

  #isIdle(): boolean {
    return this.#ready.size === 0 && this.#processing.size === 0;
  }

  #notifyIdle(): void {
    if (!this.#shuttingDown || !this.#isIdle()) return;
    const idle = this.#idle;
    this.#idle = [];
    for (const end of idle) end();
  }

  #makeReady(item: T): void {
    this.#ready.push(item);
    const worker = this.#waiting.shift();
    if (worker !== undefined) worker(this.#take());
    else this.metrics.depth(this.#ready.size);
  }

  /** Hands the next item out: from now on it is being processed. */
  #take(): T | undefined {
    const item = this.#ready.pop(this.#activity.pick?.(this.#ready.size));
    if (item === undefined) return undefined;
    const now = this.clock.monotonic();
    this.metrics.depth(this.#ready.size);
    this.metrics.waited((now - (this.#dirty.get(item) ?? now)) / 1000);
    this.#dirty.delete(item);
    this.#processing.set(item, now);
    this.#activity.begin();
    this.trace?.began(this.name, item);
    this.handedOut(item);
    return item;
  }

  /** For queues that know more of an item. */
  protected handedOut(_item: T): void {}

  #gauges() {
    const ages = (): number[] => [...this.#processing.values()].map((since) => (this.clock.monotonic() - since) / 1000);
    return {
      unfinishedWorkSeconds: () => ages().reduce((sum, age) => sum + age, 0),
      longestRunningProcessorSeconds: () => largest(ages(), 0),
    };
  }
}

export const createWorkQueue = <T>(options?: WorkQueueOptions): WorkQueue<T> => new PlainWorkQueue<T>(options);
