import type { VirtualClock } from "@coxswain/runtime/clock";
import { spanMs, type TimeSpan } from "./time-span.js";

export interface TestClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Moves time on, timer by timer, waiting at each until all has settled. */
  advance(by: TimeSpan): Promise<void>;
  /** To the next timer; answers whether there was one. */
  advanceToNextTimer(): Promise<boolean>;
  /** Timer by timer until `done`, at most by `limit`; answers whether it came to that. @default limit: 1 h */
  advanceUntil(done: () => boolean | Promise<boolean>, limit?: TimeSpan): Promise<boolean>;
}

/** The clock as tests move it. */
export function createTestClock(clock: VirtualClock): TestClock {
  const toNext = async (): Promise<boolean> => {
    await clock.settle();
    const next = clock.nextTimer;
    if (next === undefined) return false;
    await clock.advance(next - clock.now());
    return true;
  };
  return {
    now: () => clock.now(),
    advance: (by: TimeSpan) => clock.advance(spanMs(by)),
    advanceToNextTimer: toNext,
    async advanceUntil(done, limit = "1h") {
      const end = clock.now() + spanMs(limit);
      for (;;) {
        await clock.settle();
        if (await done()) return true;
        const next = clock.nextTimer;
        if (next === undefined || next > end) return false;
        await clock.advance(next - clock.now());
      }
    },
  };
}
