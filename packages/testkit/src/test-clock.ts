import type { VirtualClock } from "@coxswain/runtime/clock";
import type { TestClock } from "./test-cluster.js";
import { spanMs, type TimeSpan } from "./time-span.js";

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
