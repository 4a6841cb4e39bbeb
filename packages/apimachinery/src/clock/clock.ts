/** Time, passed in. `clock` (seen in the API) may be virtual; `ioClock` (sockets, certificates) is always real. */
export interface Clock {
  /** Milliseconds since 1970 UTC. */
  now(): number;
  /** Milliseconds that only ever grow; for measuring, never shown to a user. */
  monotonic(): number;
  /** Calls `fire` once, `ms` from now. Never keeps the process alive by itself. */
  setTimer(ms: number, fire: () => void): Timer;
}

export interface Timer {
  /** After this `fire` is never called. Cancelling twice, or after it fired, does nothing. */
  cancel(): void;
}
