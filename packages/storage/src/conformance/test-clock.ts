import type { Clock } from "@coxswain/runtime/clock";

/** A clock that moves only when a test advances it. */
export interface TestClock extends Clock {
  /** Lets the time pass, timer by timer, and gives what they started a few iterations of the event loop to finish. */
  advance(ms: number): Promise<void>;
}

export function createTestClock(start = 1_700_000_000_000): TestClock {
  let now = 0;
  let timers: { readonly at: number; readonly fire: () => void }[] = [];
  const settle = async (): Promise<void> => {
    for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    now: () => start + now,
    monotonic: () => now,
    setTimer(ms, fire) {
      const timer = { at: now + Math.max(0, ms), fire };
      timers.push(timer);
      return { cancel: () => void (timers = timers.filter((other) => other !== timer)) };
    },
    async advance(ms) {
      const end = now + ms;
      for (;;) {
        const due = timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
        if (due === undefined) break;
        timers = timers.filter((timer) => timer !== due);
        now = Math.max(now, due.at);
        due.fire();
        await settle();
      }
      now = end;
      await settle();
    },
  };
}
