import type { Activity } from "../activity/index.js";
import type { Clock } from "../clock/index.js";
import type { LogFields, Logger } from "../log/index.js";
import type { Metrics } from "../metrics/index.js";
import type { RandomSource } from "../random/index.js";
import type { Scheduler } from "../scheduler/index.js";

/** What every running thing is given. Made once in each main, handed down whole, and narrowed for a component by `childRuntime`. */
export interface Runtime {
  /** Everything that is seen in the API lives by it: stamps, leases, time-outs of requests, back-off. May be virtual. */
  readonly clock: Clock;
  /** Sockets, TLS, dates of certificates, keep-alive. Always real. */
  readonly ioClock: Clock;
  readonly random: RandomSource;
  readonly log: Logger;
  /** Counts what is under way, so that a virtual clock can wait for it. */
  readonly activity: Activity;
  readonly metrics: Metrics;
  /** The one way to yield the event loop. */
  readonly scheduler: Scheduler;
}

/** The same runtime with fields on every line of its log, such as the component's name. */
export const childRuntime = (runtime: Runtime, fields: LogFields): Runtime => ({
  ...runtime,
  log: runtime.log.child(fields),
});
