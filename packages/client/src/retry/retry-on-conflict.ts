import { isConflict } from "@coxswain/apimachinery/status";
import { type Runtime, systemRuntime } from "@coxswain/runtime";
import { type BackoffOptions, retry } from "@coxswain/runtime/backoff";

/** For conflicts between clients that write different members: a few quick tries. */
export const defaultRetry = { steps: 5, initialMs: 10, factor: 1, jitter: 0.1 };
/** For conflicts with a client that writes the same members all the time: longer and longer waits. */
export const defaultBackoff = { steps: 4, initialMs: 10, factor: 5, jitter: 0.1 };

export interface RetryOnConflictOptions {
  /** @default defaultRetry */
  backoff?: BackoffOptions & { steps: number };
  /** Ends the wait early. */
  signal?: AbortSignal | undefined;
  /** @default systemRuntime() */
  runtime?: Runtime;
}

/**
 * Runs `update` until it does not fail with a conflict, at most `steps` times; then rejects with that conflict.
 * `update` must read the object anew each time: writing the one it has again conflicts again.
 */
export function retryOnConflict<T>(
  update: () => Promise<T>,
  { backoff = defaultRetry, signal, runtime = systemRuntime() }: RetryOnConflictOptions = {},
): Promise<T> {
  const { clock, random } = runtime;
  return retry(update, { clock, signal, backoff: { random, ...backoff }, isRetriable: isConflict });
}
