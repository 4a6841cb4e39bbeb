/** Time, passed in. This package stands alone, so it names what it needs of a clock; the real one of any program fits. */
export interface Clock {
  /** Milliseconds since 1970 UTC. */
  now(): number;
  /** Milliseconds that only ever grow. */
  monotonic(): number;
  /** Calls `fire` once, `ms` from now. */
  setTimer(ms: number, fire: () => void): { cancel(): void };
}
