import { isConflict } from "@coxswain/apimachinery/status";
import type { Clock, Timer } from "@coxswain/runtime/clock";
import type { Logger } from "@coxswain/runtime/log";
import { isTerminal, type Result } from "./reconcile.js";
import type { Outcome } from "./reconcile-record.js";
import type { QueuedRequest } from "./request-queue.js";

/** What a call of a reconciler came to. */
export interface Finished {
  readonly outcome: Outcome;
  readonly error?: unknown;
  readonly terminal: boolean;
}

/** Puts the request back where the result asks for it, and names the outcome. */
export function settle(queued: QueuedRequest, result: Exclude<Result, void> | undefined): Finished {
  const priority = result?.priority ?? queued.priority;
  if (result?.requeueAfterMs !== undefined && result.requeueAfterMs > 0) {
    queued.again(result.requeueAfterMs, priority);
    return { outcome: "requeue_after", terminal: false };
  }
  if (result?.requeue === true) {
    queued.retry(priority);
    return { outcome: "requeue", terminal: false };
  }
  queued.forget();
  return { outcome: "success", terminal: false };
}

/** Puts a failed request back, unless another try is of no use. */
export function settleFailure(queued: QueuedRequest, error: unknown, log: Logger): Finished {
  const terminal = isTerminal(error);
  if (!terminal) queued.retry(queued.priority);
  // A conflict is an ordinary event: somebody else wrote first, and the next try sees it.
  if (isConflict(error)) log.info("Reconciler error", { error, retries: queued.request.retries });
  else log.error("Reconciler error", { error, retries: queued.request.retries });
  return { outcome: "error", error, terminal };
}

/** The signal of one call: the controller's, and a deadline. */
export interface CallSignal {
  readonly signal: AbortSignal;
  readonly timedOut: boolean;
  end(): void;
}

export function callSignal(outer: AbortSignal, timeoutMs: number | undefined, clock: Clock): CallSignal {
  if (timeoutMs === undefined || timeoutMs <= 0) return { signal: outer, timedOut: false, end: () => {} };
  const controller = new AbortController();
  let timedOut = false;
  const forward = (): void => controller.abort(outer.reason);
  if (outer.aborted) forward();
  outer.addEventListener("abort", forward, { once: true });
  const timer: Timer = clock.setTimer(timeoutMs, () => {
    timedOut = true;
    controller.abort(new Error(`the reconciliation took longer than ${timeoutMs} ms`));
  });
  return {
    signal: controller.signal,
    get timedOut() {
      return timedOut;
    },
    end() {
      timer.cancel();
      outer.removeEventListener("abort", forward);
    },
  };
}
