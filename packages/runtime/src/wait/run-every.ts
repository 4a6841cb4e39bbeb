import { systemClock } from "../clock/index.js";
import { jittered, type RandomSource, systemRandom } from "../random/index.js";
import { slept, type WaitOptions } from "./sleep.js";

export interface RunEveryOptions extends WaitOptions {
  /** Between runs, in milliseconds. A function is called each time, for example a back-off. */
  intervalMs: number | (() => number);
  /** Each wait is made longer by up to this share of it. @default 0 */
  jitter?: number;
  /** Whether the interval counts from the end of a run rather than from its beginning. @default true */
  sliding?: boolean;
  /** Ends the loop. */
  signal: AbortSignal;
  /** What to do with a failed run; the loop goes on. @default the loop ends with the error */
  onError?: (error: unknown) => void;
  /** @default the system's */
  random?: RandomSource;
}

/** Runs `work` again and again until the signal aborts; resolves once the last run ended. Runs never overlap. */
export async function runEvery(
  work: (signal: AbortSignal) => void | Promise<void>,
  options: RunEveryOptions,
): Promise<void> {
  const {
    intervalMs,
    jitter = 0,
    sliding = true,
    clock = systemClock,
    signal,
    onError,
    random = systemRandom,
  } = options;
  while (!signal.aborted) {
    const began = clock.monotonic();
    try {
      await work(signal);
    } catch (error) {
      if (onError === undefined) throw error;
      onError(error);
    }
    const wait = jittered(typeof intervalMs === "number" ? intervalMs : intervalMs(), jitter, random);
    const spent = sliding ? 0 : clock.monotonic() - began;
    if (!(await slept(Math.max(0, wait - spent), { clock, signal }))) return;
  }
}
