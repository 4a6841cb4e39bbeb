import type { Request } from "./reconcile.js";

/** How one call of a reconciler ended. Under these names controller_runtime_reconcile_total counts. */
export type Outcome = "success" | "error" | "requeue_after" | "requeue";

/** One call of a reconciler, for metrics, traces and timelines of tests. */
export interface ReconcileRecord {
  readonly controller: string;
  readonly reconcileId: string;
  readonly request: Request;
  readonly outcome: Outcome;
  readonly error?: unknown;
  readonly terminal: boolean;
  readonly timedOut: boolean;
  /** Milliseconds of the manager's monotonic clock. */
  readonly startedAt: number;
  readonly durationMs: number;
}

/** Receives what controllers do. */
export interface ReconcileObserver {
  controllerStarted?(controller: string, concurrency: number): void;
  /** Changes by one with each call that begins or ends. */
  active?(controller: string, change: 1 | -1): void;
  reconciled?(record: ReconcileRecord): void;
}
