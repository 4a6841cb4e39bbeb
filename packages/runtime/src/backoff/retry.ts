import { sleepDuringWork, type WaitOptions } from "../wait/index.js";
import { type BackoffOptions, createBackoff } from "./backoff.js";

export interface RetryOptions extends WaitOptions {
  /** The waits; with `steps` tries in all. */
  backoff: BackoffOptions & { steps: number };
  /** Whether to try again after this error. @default always */
  isRetriable?: (error: unknown) => boolean;
}

/** Tries until it works, at most `backoff.steps` times; then rejects with the last error. */
export async function retry<T>(
  work: () => Promise<T>,
  { backoff, isRetriable = () => true, ...wait }: RetryOptions,
): Promise<T> {
  const waits = createBackoff(backoff);
  for (let left = backoff.steps; ; left--) {
    try {
      return await work();
    } catch (error) {
      if (left <= 1 || !isRetriable(error)) throw error;
    }
    await sleepDuringWork(waits.next(), wait);
  }
}
