import type { Clock } from "../clock/index.js";

/** How a scheduler measures its time slices. */
export interface SliceTime {
  /** How long tasks run in one iteration of the event loop before sockets are polled again, in milliseconds. */
  readonly sliceMs: number;
  /** Milliseconds that only ever grow. */
  now(): number;
  /** Work took about so many microseconds. */
  spend(costMicros: number): void;
}

/** Measured: what work costs is seen on the clock. @param clock a real one: it measures this process */
export const measuredTime = (clock: Pick<Clock, "monotonic">): SliceTime => ({
  sliceMs: 0.25,
  now: () => clock.monotonic(),
  spend() {},
});

/** Estimated: the same work takes the same time on every machine, which programs on a virtual clock depend on. */
export function estimatedTime(): SliceTime {
  let micros = 0;
  return {
    sliceMs: 5,
    now: () => micros / 1000,
    spend(costMicros) {
      micros += costMicros;
    },
  };
}
