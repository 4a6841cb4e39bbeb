import type { DeepReadonly } from "@coxswain/api/types";
import { type Runtime, systemRuntime } from "@coxswain/runtime";
import type { Timer } from "@coxswain/runtime/clock";
import { stopReason } from "@coxswain/runtime/wait";
import {
  type CachedObject,
  createIndexer,
  keyOf as defaultKeyOf,
  type Indexers,
  type KeyFunction,
  type ReadonlyIndexer,
  resourceVersionOf,
} from "../stores/index.js";
import type { ListerWatcher } from "../watch/index.js";
import { applyDeltas, type ChangeSink } from "./apply-deltas.js";
import type { Delta } from "./delta.js";
import { createDeltaFifo } from "./delta-fifo.js";
import type { EventHandler, Notification } from "./event-handler.js";
import { createInOrderFifo } from "./in-order-fifo.js";
import { createLatch } from "./latch.js";
import { createListener, type Listener } from "./listener.js";
import type { MutationDetector } from "./mutation-detector.js";
import { createReflector, type Reflector, type ReflectorHealth, type ReflectorOptions } from "./reflector.js";

/** One cache of one resource, kept equal to the server's content, and any number of handlers that are notified of its changes. */
export interface SharedIndexInformer<T> {
  /** The cache. Objects are shared and never changed; read them, copy them to change them. */
  readonly indexer: ReadonlyIndexer<T>;
  /** Adds indexes, also when the informer runs. @throws Error when a name is taken by another function */
  addIndexers(indexers: Indexers<T>): void;
  /** Every known object is handed to a new handler as added. */
  addHandler(handler: EventHandler<T>, options?: HandlerOptions): HandlerRegistration;
  /** Begins to list and watch. Starting again does nothing; after `stop` it throws. */
  start(): void;
  /** Ends requests and handlers, and waits for the calls under way: a handler must not await it. The cache stays as it is. */
  stop(): Promise<void>;
  readonly started: boolean;
  /** Whether the cache holds the first list. Handlers may lag behind: each registration has its own. */
  readonly hasSynced: boolean;
  /** Resolves once `hasSynced`; rejects when the informer stops before, or the signal aborts. */
  whenSynced(signal?: AbortSignal): Promise<void>;
  /** How well the cache follows the server: state, version, last error, last contact. */
  readonly health: ReflectorHealth;
}

export interface HandlerOptions {
  /** Hands every object to the handler again after so many milliseconds; 0 for never. @default the informer's */
  resyncMs?: number;
  /**
   * A handler further behind than this, and than twice the number of objects, misses intermediate states: what waits for one
   * object is merged, so that its backlog is bounded by the number of objects. @default 10,000
   */
  coalesceAbove?: number;
}

export interface HandlerRegistration {
  /** Whether the handler has seen the whole first list. */
  readonly hasSynced: boolean;
  whenSynced(signal?: AbortSignal): Promise<void>;
  /** How many notifications the handler has not seen yet. */
  readonly pending: number;
  /** Nothing more is delivered; resolves once the call under way has ended, so the handler itself must not await it. */
  remove(): Promise<void>;
}

export interface SharedInformerOptions<T>
  extends Omit<ReflectorOptions<T>, "target" | "transform" | "keyOf" | "listerWatcher" | "onStateChange" | "runtime"> {
  listerWatcher: ListerWatcher<T>;
  /** See `ReflectorOptions.transform`. */
  transform?: (object: T) => T;
  indexers?: Indexers<DeepReadonly<T>>;
  /** For handlers without a period of their own. @default 0: never */
  resyncMs?: number;
  /** `classic`: all waiting changes of one object are processed together (client-go before 1.36). @default in-order */
  queue?: "in-order" | "classic";
  /** @default namespace/name */
  keyOf?: KeyFunction<DeepReadonly<T>>;
  /** @default none */
  mutationDetector?: MutationDetector;
  /** Its `activity` counts events that are not delivered yet. @default systemRuntime() */
  runtime?: Runtime;
}

interface Subscription<T> {
  readonly listener: Listener<T>;
  readonly resyncMs: number;
  nextResync: number;
  /** Whether it takes part in the resync that was begun last. */
  syncing: boolean;
}

/** Objects of a `SharedIndexInformer<DeepReadonly<Pod>>` cannot be changed by mistake. */
export function createSharedInformer<T extends CachedObject>(
  options: SharedInformerOptions<T>,
): SharedIndexInformer<DeepReadonly<T>> {
  // DeepReadonly changes nothing at run time, and inside nobody writes.
  return new Informer<T>(options as unknown as InnerOptions<T>) as unknown as SharedIndexInformer<DeepReadonly<T>>;
}

type InnerOptions<T> = Omit<SharedInformerOptions<T>, "indexers" | "keyOf"> & {
  indexers?: Indexers<T>;
  keyOf?: KeyFunction<T>;
};

/** What applying a delta to the cache and its indexes costs. */
const microsPerDelta = 5;

class Informer<T extends CachedObject> implements SharedIndexInformer<T> {
  readonly #options: InnerOptions<T>;
  readonly #keyOf: KeyFunction<T>;
  readonly #runtime: Runtime;
  readonly #onError: (error: unknown) => void;
  readonly #indexer;
  readonly #queue;
  readonly #reflector: Reflector;
  readonly #subscriptions = new Set<Subscription<T>>();
  readonly #synced = createLatch();
  readonly #ending = new AbortController();
  #running: Promise<void> | undefined;
  #draining: Promise<void> | undefined;
  #resyncTimer: Timer | undefined;
  /** How many deltas the last pop handed out. */
  #processed = 0;

  constructor(options: InnerOptions<T>) {
    this.#options = options;
    const { queue = "in-order", keyOf = defaultKeyOf, onError = () => {} } = options;
    this.#runtime = options.runtime ?? systemRuntime();
    this.#keyOf = keyOf;
    this.#onError = onError;
    this.#indexer = createIndexer<T>({ keyOf, indexers: options.indexers ?? {} });
    const onReady = (): void => void (this.#draining ??= this.#drain());
    this.#queue =
      queue === "in-order"
        ? createInOrderFifo<T>({ onReady })
        : createDeltaFifo<T>({ keyOf, onReady, known: this.#indexer });
    this.#reflector = createReflector<T>({ ...options, target: this.#queue, keyOf, onError, runtime: this.#runtime });
  }

  get indexer(): ReadonlyIndexer<T> {
    return this.#indexer;
  }

  get started(): boolean {
    return this.#running !== undefined;
  }

  get hasSynced(): boolean {
    return this.#synced.isOpen;
  }

  get health(): ReflectorHealth {
    return this.#reflector.health;
  }

  whenSynced(signal?: AbortSignal): Promise<void> {
    return this.#synced.wait(signal);
  }

  addIndexers(indexers: Indexers<T>): void {
    this.#indexer.addIndexers(indexers);
  }

  addHandler(handler: EventHandler<T>, options: HandlerOptions = {}): HandlerRegistration {
    const { resyncMs = this.#options.resyncMs ?? 0, coalesceAbove = 10_000 } = options;
    const listener = createListener<T>({
      handler,
      keyOf: this.#keyOf,
      coalesceAbove,
      known: () => this.#indexer.size,
      onError: this.#onError,
      runtime: this.#runtime,
    });
    const subscription = { listener, resyncMs, nextResync: this.#runtime.clock.monotonic() + resyncMs, syncing: false };
    this.#subscriptions.add(subscription);
    for (const object of this.#indexer.list()) listener.push({ type: "add", object, isInInitialList: true });
    if (this.#synced.isOpen) listener.push({ type: "synced" });
    this.#scheduleResync();
    return {
      get hasSynced() {
        return listener.synced.isOpen;
      },
      whenSynced: (signal) => listener.synced.wait(signal),
      get pending() {
        return listener.pending;
      },
      remove: async () => {
        this.#subscriptions.delete(subscription);
        this.#scheduleResync();
        await listener.stop();
      },
    };
  }

  start(): void {
    if (this.#ending.signal.aborted) throw new Error("an informer that was stopped does not start again");
    if (this.#running !== undefined) return;
    this.#running = this.#reflector.run(this.#ending.signal);
    this.#scheduleResync();
  }

  async stop(): Promise<void> {
    this.#ending.abort(stopReason);
    this.#resyncTimer?.cancel();
    this.#synced.abandon(new Error("the informer was stopped before it had synced"));
    await this.#running;
    await this.#draining;
    await Promise.all([...this.#subscriptions].map(({ listener }) => listener.stop()));
  }

  /** Takes from the queue until it is empty, in slices that leave the event loop to others. */
  async #drain(): Promise<void> {
    const { activity, scheduler } = this.#runtime;
    activity.begin();
    // The reflector goes on first: the events of one batch are processed together.
    await Promise.resolve();
    while (this.#queue.pop(this.#process)) {
      if (this.#queue.hasSynced) this.#enterSynced();
      const pause = scheduler.yield(this.#processed * microsPerDelta);
      if (pause) await pause;
    }
    this.#draining = undefined;
    activity.end();
  }

  #enterSynced(): void {
    if (this.#synced.isOpen) return;
    this.#synced.open();
    this.#distribute({ type: "synced" }, false);
  }

  readonly #process = (deltas: readonly Delta<T>[], isInInitialList: boolean): void => {
    this.#processed = deltas.length;
    for (const delta of deltas) {
      try {
        applyDeltas(this.#indexer, [delta], isInInitialList, this.#sink);
      } catch (error) {
        // An index function threw. The others must not be lost for it.
        this.#onError(error);
      }
    }
  };

  readonly #sink: ChangeSink<T> = {
    added: (object, isInInitialList) => {
      this.#options.mutationDetector?.watch(object);
      this.#distribute({ type: "add", object, isInInitialList }, false);
    },
    updated: (old, object) => {
      this.#options.mutationDetector?.watch(object);
      // The same version again is no change: only handlers that asked for a resync receive it.
      this.#distribute({ type: "update", old, object }, resourceVersionOf(old) === resourceVersionOf(object));
    },
    deleted: (object, finalStateUnknown) => this.#distribute({ type: "delete", object, finalStateUnknown }, false),
  };

  #distribute(notification: Notification<T>, sync: boolean): void {
    for (const { listener, syncing } of this.#subscriptions) if (!sync || syncing) listener.push(notification);
  }

  /** One timer for the handler that is due next. */
  #scheduleResync(): void {
    this.#resyncTimer?.cancel();
    this.#resyncTimer = undefined;
    if (!this.started || this.#ending.signal.aborted) return;
    let next = Number.POSITIVE_INFINITY;
    for (const { resyncMs, nextResync } of this.#subscriptions) if (resyncMs > 0) next = Math.min(next, nextResync);
    if (next === Number.POSITIVE_INFINITY) return;
    this.#resyncTimer = this.#runtime.clock.setTimer(next - this.#runtime.clock.monotonic(), () => this.#resync());
  }

  #resync(): void {
    const now = this.#runtime.clock.monotonic();
    for (const subscription of this.#subscriptions) {
      subscription.syncing = subscription.resyncMs > 0 && subscription.nextResync <= now;
      if (subscription.syncing) subscription.nextResync = now + subscription.resyncMs;
    }
    this.#queue.resync();
    this.#scheduleResync();
  }
}
