import type { Clock } from "@coxswain/runtime/clock";

export interface CatchUpClock extends Clock {
  /** Whether the program does again what it did before: nothing has waited for a time to come yet. */
  readonly isReplaying: boolean;
}

/**
 * A clock that begins in the past and runs through what has passed at once: a program that is started on it is soon where
 * it would be, had it been started then. For containers that a new process of ours finds in the API.
 */
export function createCatchUpClock(clock: Clock, startMs: number): CatchUpClock {
  let behind = Math.max(0, clock.now() - startMs);
  let isReplaying = true;
  return {
    ...(clock.activity && { activity: clock.activity }),
    get isReplaying() {
      return isReplaying;
    },
    now: () => clock.now() - behind,
    monotonic: () => clock.monotonic() - behind,
    setTimer(ms, fire) {
      const saved = Math.min(ms, behind);
      if (ms > saved) isReplaying = false;
      let isDone = false;
      const timer = clock.setTimer(ms - saved, () => {
        if (isDone) return;
        isDone = true;
        behind -= Math.min(saved, behind);
        fire();
      });
      return { cancel: () => timer.cancel() };
    },
  };
}
