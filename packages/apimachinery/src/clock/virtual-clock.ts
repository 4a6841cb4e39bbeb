import { type Activity, createActivity } from "./activity.js";
import type { Clock } from "./clock.js";
import { TimerHeap } from "./timer-heap.js";

/** A clock that stands still until a test moves it: a day passes in milliseconds, and every run is the same. */
export interface VirtualClock extends Clock {
  /** What is under way in the programs that live by this clock. */
  readonly activity: Activity;
  /**
   * Moves time on by `ms`, instant by instant: sets the time of the next timers, fires them in the order they were set,
   * and waits until all that they started has settled. Resolves when that is done for the last instant.
   */
  advance(ms: number): Promise<void>;
  /** Moves on from timer to timer until `done`, or by `limitMs`; answers whether it came to that. */
  advanceUntil(done: () => boolean, limitMs: number): Promise<boolean>;
  /** Fires what is due now and waits until nothing is under way. Time stays. */
  settle(): Promise<void>;
  /** When the next timer is due, or undefined if there is none. */
  readonly nextTimer: number | undefined;
}

export interface VirtualClockOptions {
  /** Where time begins, in milliseconds since 1970. @default 2024-01-01T00:00:00Z */
  startMs?: number;
  /** @default one of its own */
  activity?: Activity;
}

export function createVirtualClock({
  startMs = Date.UTC(2024, 0, 1),
  activity = createActivity(),
}: VirtualClockOptions = {}): VirtualClock {
  const timers = new TimerHeap();
  let now = startMs;
  let order = 0;
  let moving = false;

  async function settle(): Promise<void> {
    do {
      await activity.settle();
      // All timers of this instant fire together; what they set for the same instant waits for the next round.
      const last = order;
      for (let next = timers.peek(); next !== undefined && next.due <= now && next.order < last; next = timers.peek()) {
        const fire = timers.pop()?.fire;
        next.fire = undefined;
        fire?.();
      }
    } while ((timers.peek()?.due ?? Number.POSITIVE_INFINITY) <= now);
    await activity.settle();
  }

  /** Two movers at once would each see half of what happens. */
  async function alone<T>(move: () => Promise<T>): Promise<T> {
    if (moving) throw new Error("the clock is already moving: await the first advance before the next");
    moving = true;
    try {
      return await move();
    } finally {
      moving = false;
    }
  }

  async function moveUntil(end: number, done: () => boolean): Promise<boolean> {
    await settle();
    for (let due = timers.peek()?.due; !done() && due !== undefined && due <= end; due = timers.peek()?.due) {
      now = due;
      await settle();
    }
    if (done()) return true;
    now = end;
    return false;
  }

  return {
    activity,
    now: () => now,
    monotonic: () => now - startMs,
    setTimer(ms, fire) {
      const timer = { due: now + Math.max(0, ms), order: order++, fire: fire as (() => void) | undefined };
      timers.push(timer);
      return { cancel: () => (timer.fire = undefined) };
    },
    settle: () => alone(settle),
    advance: (ms) =>
      alone(async () => {
        await moveUntil(now + ms, () => false);
      }),
    advanceUntil: (done, limitMs) => alone(() => moveUntil(now + limitMs, done)),
    get nextTimer() {
      return timers.peek()?.due;
    },
  };
}
