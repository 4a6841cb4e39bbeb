import { isConflict } from "@coxswain/apimachinery/status";
import { createReconcileLoop as createLoop, type ReconcileLoop } from "@coxswain/client/controller";
import type { RateLimiter, WorkResult } from "@coxswain/client/queue";
import type { ControllerContext } from "./controller.js";

export type { ReconcileLoop };

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

/** The client library's loop with a controller's clock, log and metrics. */
export function createReconcileLoop(
  { runtime, queueMetrics }: ControllerContext,
  { name, workers = 5, rateLimiter, reconcile }: ReconcileLoopOptions,
): ReconcileLoop {
  return createLoop({
    name,
    workers,
    reconcile,
    runtime,
    ...(queueMetrics && { metrics: queueMetrics }),
    ...(rateLimiter && { rateLimiter }),
    // A lost race is the ordinary course of things: somebody else wrote first, and the next try sees it.
    onError: (error, key) =>
      runtime.log[isConflict(error) ? "debug" : "warn"]("a reconcile failed and is retried", {
        queue: name,
        key,
        error,
      }),
  });
}
