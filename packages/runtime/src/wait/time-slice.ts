import { type Clock, systemClock } from "../clock/index.js";
import { macrotask } from "../event-loop/index.js";

/** One stretch of synchronous work. Everything in the process shares the event loop, so it must end soon. */
export interface TimeSlice {
  /** Whether the work has lasted long enough: then `await next()`. Cheap enough to ask in every round of a loop. */
  isOver(): boolean;
  /** Lets others run and begins a new time slice. */
  next(): Promise<void>;
}

export interface TimeSliceOptions {
  /** How long a time slice lasts, in milliseconds. @default 5 */
  budgetMs?: number;
  /** Always a real clock: it measures this process. @default the system clock */
  ioClock?: Pick<Clock, "monotonic">;
  /** How to let others run. @default a macrotask */
  yieldToOthers?: () => Promise<void>;
}

/** `const slice = startTimeSlice(); for (…) { …; if (slice.isOver()) await slice.next(); }` */
export function startTimeSlice({
  budgetMs = 5,
  ioClock = systemClock,
  yieldToOthers = macrotask,
}: TimeSliceOptions = {}): TimeSlice {
  let end = ioClock.monotonic() + budgetMs;
  return {
    isOver: () => ioClock.monotonic() >= end,
    async next() {
      await yieldToOthers();
      end = ioClock.monotonic() + budgetMs;
    },
  };
}
