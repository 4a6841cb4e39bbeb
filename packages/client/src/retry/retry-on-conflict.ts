import type { BackoffOptions } from "@coxswain/runtime/backoff";
import type { RandomSource } from "@coxswain/runtime/random";
import { isConflict } from "@coxswain/apimachinery/status";
import { retry } from "@coxswain/runtime/backoff";
import type { WaitOptions } from "@coxswain/runtime/wait";

/** For conflicts between clients that write different members: a few quick tries. */
export const defaultRetry = { steps: 5, initialMs: 10, factor: 1, jitter: 0.1 };
/** For conflicts with a client that writes the same members all the time: longer and longer waits. */
export const defaultBackoff = { steps: 4, initialMs: 10, factor: 5, jitter: 0.1 };

export interface RetryOnConflictOptions extends WaitOptions {
  /** @default defaultRetry */
  backoff?: BackoffOptions & { steps: number };
  /** For the jitter of the waits. @default the system's */
  random?: RandomSource;
}

/**
 * Runs `update` until it does not fail with a conflict, at most `steps` times; then rejects with that conflict.
 * `update` must read the object anew each time: writing the one it has again conflicts again.
 */
export const retryOnConflict = <T>(
  update: () => Promise<T>,
  { backoff = defaultRetry, random, ...wait }: RetryOnConflictOptions = {},
): Promise<T> =>
  retry(update, { ...wait, backoff: { ...backoff, ...(random && { random }) }, isRetriable: isConflict });
