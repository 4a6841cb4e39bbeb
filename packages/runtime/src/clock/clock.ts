import type { Activity } from "../activity/index.js";

/** Time, passed in. `clock` (seen in the API) may be virtual; `ioClock` (sockets, certificates) is always real. */
export interface Clock {
  /** Milliseconds since 1970 UTC. */
  now(): number;
  /** Milliseconds that only ever grow; for measuring, never shown to a user. */
  monotonic(): number;
  /** Calls `fire` once, `ms` from now. Never keeps the process alive by itself. */
  setTimer(ms: number, fire: () => void, kind?: TimerKind): Timer;
  /** What is under way in the programs that live by a virtual clock, which waits for it. @default nobody waits */
  readonly activity?: Activity;
}

/**
 * Timers that a virtual clock need not fire one by one while nothing else happens; real clocks make no difference. `beat`: of many
 * periods the last one counts (a lease is renewed). `deadline`: waits for beats that fail to come, and begins anew with each.
 * `upkeep`: looks after what nobody has changed.
 */
export type TimerKind = "beat" | "deadline" | "upkeep";

/** The clock, with timers of that kind. */
export const withTimerKind = (clock: Clock, kind: TimerKind): Clock => ({
  now: () => clock.now(),
  monotonic: () => clock.monotonic(),
  setTimer: (ms, fire) => clock.setTimer(ms, fire, kind),
  ...(clock.activity && { activity: clock.activity }),
});

export interface Timer {
  /** After this `fire` is never called. Cancelling twice, or after it fired, does nothing. */
  cancel(): void;
}
