import { isConflict } from "@coxswain/apimachinery/status";
import type { EventHandler, SharedIndexInformer } from "@coxswain/client/informers";
import {
  createRateLimitingQueue,
  type RateLimiter,
  type RateLimitingQueue,
  runWorkers,
  type WorkResult,
} from "@coxswain/client/queue";
import { keyOf, type CachedObject } from "@coxswain/client/informers";
import type { ControllerContext, RunningController } from "./controller.js";

export interface ReconcileLoopOptions {
  /** The queue's name in metrics: upstream's. */
  readonly name: string;
  /** How many keys are worked on at once. @default 5 */
  readonly workers?: number;
  /** Brings the world in line with one key, "namespace/name" unless the controller makes others. */
  reconcile(key: string, signal: AbortSignal): WorkResult | Promise<WorkResult>;
  /** How errors are retried. @default 5 ms, doubling to 1000 s, and ten a second together */
  readonly rateLimiter?: RateLimiter<string>;
}

/** A queue of keys, what wakes them, and workers. */
export interface ReconcileLoop extends RunningController {
  readonly queue: RateLimitingQueue<string>;
  /** Wakes the object's own key on each of its changes. */
  watch<T extends CachedObject>(informer: SharedIndexInformer<T>): void;
  /** Wakes the keys that a change concerns. `old` is the state before an update. */
  watchFor<T extends CachedObject>(
    informer: SharedIndexInformer<T>,
    keysOf: (object: T, old: T | undefined) => readonly (string | undefined)[],
  ): void;
  /** For handlers that do more than waking keys (expectations). */
  handle<T extends CachedObject>(informer: SharedIndexInformer<T>, handler: EventHandler<T>): void;
}

export function createReconcileLoop(context: ControllerContext, options: ReconcileLoopOptions): ReconcileLoop {
  const { clock, activity, log, queueMetrics } = context;
  const ending = new AbortController();
  const queue = createRateLimitingQueue<string>({
    name: options.name,
    clock,
    activity,
    ...(queueMetrics && { metrics: queueMetrics }),
    ...(options.rateLimiter && { rateLimiter: options.rateLimiter }),
  });
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
    handle: (informer, handler) => void registrations.push(informer.addHandler(handler)),
    run() {
      working ??= runWorkers({
        queue,
        work: options.reconcile,
        workers: options.workers ?? 5,
        signal: ending.signal,
        // A lost race is the ordinary course of things: somebody else wrote first, and the next try sees it.
        onError: (error, key) =>
          log[isConflict(error) ? "debug" : "warn"]("a reconcile failed and is retried", {
            queue: options.name,
            key,
            error,
          }),
      });
    },
    async stop() {
      ending.abort();
      queue.shutDown();
      await Promise.all(registrations.map((registration) => registration.remove()));
      await working;
    },
  };
  return loop;
}
