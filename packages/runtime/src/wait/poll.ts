import { systemClock } from "../clock/index.js";
import { sleep, type WaitOptions } from "./sleep.js";

export interface PollOptions extends WaitOptions {
  /** Between two looks, in milliseconds. A function is called each time, for example a back-off. */
  intervalMs: number | (() => number);
  /** Gives up after this many milliseconds. @default never */
  timeoutMs?: number;
  /** Whether to look at once rather than after the first interval. @default true */
  immediate?: boolean;
}

/**
 * Looks until `condition` holds: true, or false when time ran out.
 * Rejects when the signal aborts, or with whatever `condition` throws.
 */
export async function pollUntil(condition: () => boolean | Promise<boolean>, options: PollOptions): Promise<boolean> {
  const { intervalMs, timeoutMs = Number.POSITIVE_INFINITY, immediate = true, clock = systemClock, signal } = options;
  const end = clock.monotonic() + timeoutMs;
  if (immediate && (await condition())) return true;
  for (;;) {
    const left = end - clock.monotonic();
    if (left <= 0) return false;
    await sleep(Math.min(left, typeof intervalMs === "number" ? intervalMs : intervalMs()), { clock, signal });
    if (await condition()) return true;
  }
}
