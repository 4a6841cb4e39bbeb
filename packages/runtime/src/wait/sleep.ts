import { type Clock, systemClock } from "../clock/index.js";

export interface WaitOptions {
  /** @default the system clock */
  clock?: Clock | undefined;
  /** Ends the wait early. */
  signal?: AbortSignal | undefined;
}

/** Resolves after `ms`. Aborted, it rejects with the signal's reason and leaves no timer behind. */
export function sleep(ms: number, { clock = systemClock, signal }: WaitOptions = {}): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const abort = (): void => {
      timer.cancel();
      reject(signal?.reason);
    };
    const timer = clock.setTimer(ms, () => {
      signal?.removeEventListener("abort", abort);
      resolve();
    });
    signal?.addEventListener("abort", abort, { once: true });
  });
}

/** The same in the middle of work that an `Activity` may count, such as a wait between two tries: a virtual clock moves on meanwhile. */
export async function sleepDuringWork(ms: number, options: WaitOptions): Promise<void> {
  const activity = options.clock?.activity;
  activity?.pause();
  try {
    await sleep(ms, options);
  } finally {
    activity?.resume();
  }
}

/** Sleeps; false when the signal ended it. For loops that simply stop. */
export async function slept(ms: number, options: WaitOptions): Promise<boolean> {
  if (options.signal?.aborted) return false;
  try {
    await sleep(ms, options);
    return true;
  } catch (error) {
    if (options.signal?.aborted) return false;
    throw error;
  }
}
