import type { Logger } from "@coxswain/runtime/log";
import type { ClusterAccess } from "../access/index.js";
import type { Cause } from "../event/index.js";

/** An object to be brought in line. It names the object and nothing else: its state is read when it is reconciled. */
export interface Request {
  /** Of several clusters, the one whose event this is. "" is the manager's own. */
  readonly cluster: string;
  /** "" for an object of the cluster. */
  readonly namespace: string;
  readonly name: string;
  /**
   * What woke the reconciler since the last time, oldest first; at most 16 of them. For logs and traces: a reconciler that decides
   * by it misses what happened while it did not run.
   */
  readonly causes: readonly Cause[];
  /** How often this object failed in a row before this time. */
  readonly retries: number;
}

/** What shall happen to the request after it succeeded. */
export type Result = void | {
  /** Again after so many milliseconds. */
  readonly requeueAfterMs?: number;
  /** Again as after an error, later each time. */
  readonly requeue?: boolean;
  /** Of the next time. @default that of this time */
  readonly priority?: number;
};

/**
 * Brings the world in line with one object. Called for one object by one worker at a time. An error is logged and the request comes
 * again, later each time; a `TerminalError` only when the object changes.
 */
export type Reconciler = (request: Request, context: ReconcileContext) => Result | Promise<Result>;

/** What a reconciler works with: the request's cluster, and what concerns this one call. */
export interface ReconcileContext extends ClusterAccess {
  /** Another cluster of the manager. @throws Error for one that the manager does not have */
  cluster(name: string): ClusterAccess;
  /** With controller, object and reconcileID on every line. */
  readonly log: Logger;
  /** Of this one call. */
  readonly reconcileId: string;
  /** Aborts when the manager stops, leadership is lost, or the call takes longer than `reconcileTimeoutMs`. */
  readonly signal: AbortSignal;
  /** Milliseconds since 1970, by the manager's clock. */
  now(): number;
}

/** An error that is not worth another try: the request comes again only when something changes. */
export class TerminalError extends Error {
  constructor(cause: unknown) {
    super(`terminal error: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.name = "TerminalError";
  }
}

/** `throw terminalError("spec.source is no URL")` */
export const terminalError = (cause: unknown): TerminalError => new TerminalError(cause);

/** Whether the error, or one that it wraps, is terminal. */
export function isTerminal(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof TerminalError) return true;
  return false;
}
