import { type Activity, createActivity } from "../activity/index.js";
import type { Clock, TimerKind } from "./clock.js";
import { earlier, type PendingTimer, TimerHeap } from "./timer-heap.js";

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
  /**
   * Whether only beats have had an effect since the last call. Where it is given, stretches in which nothing but beats, deadlines
   * and upkeep would fire are passed over: once all deadlines had the time to come, time jumps to the next other timer, beats
   * fire once there, and deadlines and upkeep wait that much longer. @default no stretch is passed over
   */
  isQuiet?: () => boolean;
}

/** After the last change, in milliseconds, beside the longest deadline: every beat has come. */
const calmMs = 15_000;
/** Shorter jumps are not worth their beats. */
const leastJumpMs = 30_000;

export function createVirtualClock({
  startMs = Date.UTC(2024, 0, 1),
  activity = createActivity(),
  isQuiet,
}: VirtualClockOptions = {}): VirtualClock {
  const heaps = { plain: new TimerHeap(), beat: new TimerHeap(), deadline: new TimerHeap(), upkeep: new TimerHeap() };
  const all = Object.values(heaps);
  let now = startMs;
  let order = 0;
  let moving = false;
  /** When something else than a beat last had an effect. */
  let disturbed = startMs;

  function heapOfNext(): TimerHeap | undefined {
    let next: { heap: TimerHeap; timer: PendingTimer } | undefined;
    for (const heap of all) {
      const timer = heap.peek();
      if (timer && (!next || earlier(timer, next.timer))) next = { heap, timer };
    }
    return next?.heap;
  }
  const nextDue = (): number => heapOfNext()?.peek()?.due ?? Number.POSITIVE_INFINITY;

  /** All timers of this instant fire together; what they set for the same instant waits for the next round. */
  function fireDue(choose: () => TimerHeap | undefined): void {
    const last = order;
    for (let heap = choose(); heap; heap = choose()) {
      const next = heap.peek();
      if (next === undefined || next.due > now || next.order >= last) return;
      const fire = heap.pop()?.fire;
      next.fire = undefined;
      fire?.();
    }
  }

  async function settle(): Promise<void> {
    do {
      await activity.settle();
      fireDue(heapOfNext);
    } while (nextDue() <= now);
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

  /** Where to jump to; undefined: nowhere. */
  function jumpTarget(end: number): number | undefined {
    if (!isQuiet) return undefined;
    if (!isQuiet()) disturbed = now;
    const target = Math.min(heaps.plain.peek()?.due ?? Number.POSITIVE_INFINITY, end);
    if (target - now < leastJumpMs || now - disturbed < calmMs) return undefined;
    return now - disturbed < calmMs + heaps.deadline.longest() ? undefined : target;
  }

  /** Beats come before what else there is to do at that time: a lease that was renewed all along is found renewed. */
  async function passOver(target: number): Promise<void> {
    heaps.deadline.delay(target - now);
    heaps.upkeep.delay(target - now);
    now = target;
    while ((heaps.beat.peek()?.due ?? Number.POSITIVE_INFINITY) <= now) {
      fireDue(() => heaps.beat);
      await activity.settle();
    }
    await settle();
  }

  async function moveUntil(end: number, done: () => boolean): Promise<boolean> {
    disturbed = now; // the caller may have done anything before
    await settle();
    for (let due = nextDue(); !done() && due <= end; due = nextDue()) {
      const target = jumpTarget(end);
      if (target !== undefined) await passOver(target);
      else {
        now = due;
        await settle();
      }
    }
    if (done()) return true;
    now = end;
    return false;
  }

  return {
    activity,
    now: () => now,
    monotonic: () => now - startMs,
    setTimer(ms, fire, kind?: TimerKind) {
      const wait = Math.max(0, ms);
      const timer: PendingTimer = { due: now + wait, ms: wait, order: order++, fire };
      heaps[kind ?? "plain"].push(timer);
      return { cancel: () => (timer.fire = undefined) };
    },
    settle: () => alone(settle),
    advance: (ms) =>
      alone(async () => {
        await moveUntil(now + ms, () => false);
      }),
    advanceUntil: (done, limitMs) => alone(() => moveUntil(now + limitMs, done)),
    get nextTimer() {
      const due = nextDue();
      return due === Number.POSITIVE_INFINITY ? undefined : due;
    },
  };
}
