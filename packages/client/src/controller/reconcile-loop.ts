import { systemRuntime } from "@coxswain/runtime";
import { stopReason } from "@coxswain/runtime/wait";
import {
  type CachedObject,
  type EventHandler,
  type HandlerOptions,
  keyOf,
  type SharedIndexInformer,
} from "../informers/index.js";
import {
  createRateLimitingQueue,
  type RateLimitingQueue,
  type RateLimitingQueueOptions,
  type RunWorkersOptions,
  runWorkers,
} from "../queue/index.js";

export interface ReconcileLoopOptions
  extends RateLimitingQueueOptions<string>,
    Pick<RunWorkersOptions<string>, "workers" | "onError"> {
  /** Brings the world in line with one key, "namespace/name" unless the caller makes others. */
  reconcile: RunWorkersOptions<string>["work"];
}

/** A queue of keys, what wakes them, and workers. */
export interface ReconcileLoop {
  readonly queue: RateLimitingQueue<string>;
  /** Wakes the object's own key on each of its changes. */
  watch<T extends CachedObject>(informer: SharedIndexInformer<T>): void;
  /** Wakes the keys that a change concerns. `old` is the state before an update. */
  watchFor<T extends CachedObject>(
    informer: SharedIndexInformer<T>,
    keysOf: (object: T, old: T | undefined) => readonly (string | undefined)[],
  ): void;
  /** For handlers that do more than waking keys (expectations). */
  handle<T extends CachedObject>(
    informer: SharedIndexInformer<T>,
    handler: EventHandler<T>,
    options?: HandlerOptions,
  ): void;
  /** Begins to work; called once the caches are filled. */
  run(): void;
  /** Ends workers and handlers and waits for what is under way. The informers are left to their starter. */
  stop(): Promise<void>;
}

export function createReconcileLoop(options: ReconcileLoopOptions): ReconcileLoop {
  const { reconcile, workers, onError, runtime = systemRuntime(), ...queueOptions } = options;
  const ending = new AbortController();
  const queue = createRateLimitingQueue<string>({ ...queueOptions, runtime });
  const registrations: { remove(): Promise<void> }[] = [];
  let working: Promise<void> | undefined;

  const loop: ReconcileLoop = {
    queue,
    watch: (informer) => loop.watchFor(informer, (object) => [keyOf(object)]),
    watchFor(informer, keysOf) {
      const wake = (object: Parameters<typeof keysOf>[0], old?: Parameters<typeof keysOf>[1]): void => {
        for (const key of keysOf(object, old)) if (key !== undefined) queue.add(key);
      };
      loop.handle(informer, {
        onAdd: (object) => wake(object),
        onUpdate: (old, object) => wake(object, old),
        onDelete: (object) => wake(object),
      });
    },
    handle: (informer, handler, handling) => void registrations.push(informer.addHandler(handler, handling)),
    run() {
      working ??= runWorkers({
        queue,
        work: reconcile,
        signal: ending.signal,
        ...(workers !== undefined && { workers }),
        ...(onError && { onError }),
        runtime,
      });
    },
    async stop() {
      ending.abort(stopReason);
      queue.shutDown();
      await Promise.all(registrations.map((registration) => registration.remove()));
      await working;
    },
  };
  return loop;
}
