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

interface VirtualTime {
  readonly heaps: Readonly<Record<"plain" | TimerKind, TimerHeap>>;
  readonly activity: Activity;
  readonly isQuiet: (() => boolean) | undefined;
  now: number;
  /** Of the next timer. */
  order: number;
  moving: boolean;
  /** When something else than a beat last had an effect. */
  disturbed: number;
}

export function createVirtualClock({
  startMs = Date.UTC(2024, 0, 1),
  activity = createActivity(),
  isQuiet,
}: VirtualClockOptions = {}): VirtualClock {
  const heaps = { plain: new TimerHeap(), beat: new TimerHeap(), deadline: new TimerHeap(), upkeep: new TimerHeap() };
  const time: VirtualTime = { heaps, activity, isQuiet, now: startMs, order: 0, moving: false, disturbed: startMs };
  return {
    activity,
    now: () => time.now,
    monotonic: () => time.now - startMs,
    setTimer(ms, fire, kind?: TimerKind) {
      const wait = Math.max(0, ms);
      const timer: PendingTimer = { due: time.now + wait, ms: wait, order: time.order++, fire };
      heaps[kind ?? "plain"].push(timer);
      return { cancel: () => (timer.fire = undefined) };
    },
    settle: () => alone(time, () => settle(time)),
    advance: (ms) =>
      alone(time, async () => {
        await moveUntil(time, time.now + ms, () => false);
      }),
    advanceUntil: (done, limitMs) => alone(time, () => moveUntil(time, time.now + limitMs, done)),
    get nextTimer() {
      const due = nextDue(time);
      return due === Number.POSITIVE_INFINITY ? undefined : due;
    },
  };
}

function heapOfNext({ heaps }: VirtualTime): TimerHeap | undefined {
  let next: { heap: TimerHeap; timer: PendingTimer } | undefined;
  for (const heap of Object.values(heaps)) {
    const timer = heap.peek();
    if (timer && (!next || earlier(timer, next.timer))) next = { heap, timer };
  }
  return next?.heap;
}

const nextDue = (time: VirtualTime): number => heapOfNext(time)?.peek()?.due ?? Number.POSITIVE_INFINITY;

/** All timers of this instant fire together; what they set for the same instant waits for the next round. */
function fireDue({ order, now }: VirtualTime, choose: () => TimerHeap | undefined): void {
  const last = order;
  for (let heap = choose(); heap; heap = choose()) {
    const next = heap.peek();
    if (next === undefined || next.due > now || next.order >= last) return;
    const fire = heap.pop()?.fire;
    next.fire = undefined;
    fire?.();
  }
}

async function settle(time: VirtualTime): Promise<void> {
  do {
    await time.activity.settle();
    fireDue(time, () => heapOfNext(time));
  } while (nextDue(time) <= time.now);
  await time.activity.settle();
}

/** Two movers at once would each see half of what happens. */
async function alone<T>(time: VirtualTime, move: () => Promise<T>): Promise<T> {
  if (time.moving) throw new Error("the clock is already moving: await the first advance before the next");
  time.moving = true;
  try {
    return await move();
  } finally {
    time.moving = false;
  }
}

/** Where to jump to; undefined: nowhere. */
function jumpTarget(time: VirtualTime, end: number): number | undefined {
  const { isQuiet, now, heaps } = time;
  if (!isQuiet) return undefined;
  if (!isQuiet()) time.disturbed = now;
  const calm = now - time.disturbed;
  const target = Math.min(heaps.plain.peek()?.due ?? Number.POSITIVE_INFINITY, end);
  if (target - now < leastJumpMs || calm < calmMs) return undefined;
  return calm < calmMs + heaps.deadline.longest() ? undefined : target;
}

/** Beats come before what else there is to do at that time: a lease that was renewed all along is found renewed. */
async function passOver(time: VirtualTime, target: number): Promise<void> {
  time.heaps.deadline.delay(target - time.now);
  time.heaps.upkeep.delay(target - time.now);
  time.now = target;
  while ((time.heaps.beat.peek()?.due ?? Number.POSITIVE_INFINITY) <= time.now) {
    fireDue(time, () => time.heaps.beat);
    await time.activity.settle();
  }
  await settle(time);
}

async function moveUntil(time: VirtualTime, end: number, done: () => boolean): Promise<boolean> {
  time.disturbed = time.now; // the caller may have done anything before
  await settle(time);
  for (let due = nextDue(time); !done() && due <= end; due = nextDue(time)) {
    const target = jumpTarget(time, end);
    if (target !== undefined) await passOver(time, target);
    else {
      time.now = due;
      await settle(time);
    }
  }
  if (done()) return true;
  time.now = end;
  return false;
}
