import type { LimitOptions } from "@coxswain/apiserver";
import { defineFlags, FlagError, type OptionsOf } from "@coxswain/component/flags";

/** What requests may take and use. */
export const limitFlags = defineFlags({
  "request-timeout": {
    group: "Limits",
    type: "duration",
    default: "1m0s",
    help: "How long a request may take before it is answered with 504. Watches have a time of their own.",
  },
  "min-request-timeout": {
    group: "Limits",
    type: "integer",
    default: 1800,
    min: 0,
    value: "seconds",
    help: "A watch without a timeout ends after a time between this and twice this.",
  },
  "enable-priority-and-fairness": {
    group: "Limits",
    type: "boolean",
    default: true,
    help: "Share the server's seats by FlowSchemas and PriorityLevelConfigurations: requests wait in queues, and one user's flood slows nobody else.",
  },
  "max-requests-inflight": {
    group: "Limits",
    type: "integer",
    default: 400,
    min: 0,
    value: "count",
    help: "With --max-mutating-requests-inflight the server's seats. Without priority and fairness: requests that only read, at once; more are answered with 429; watches do not count; 0 is no limit.",
  },
  "max-mutating-requests-inflight": {
    group: "Limits",
    type: "integer",
    default: 200,
    min: 0,
    value: "count",
    help: "The same for requests that write.",
  },
  "goaway-chance": {
    group: "Limits",
    type: "number",
    default: 0,
    min: 0,
    max: 0.02,
    value: "chance",
    help: "How likely a request is to be the last on its HTTP/2 connection, so that clients spread over several servers again.",
  },
});

/** @throws FlagError */
export function limitsFrom(
  options: OptionsOf<typeof limitFlags>,
): LimitOptions & { readonly requestTimeoutMs: number } {
  if (options.enablePriorityAndFairness && options.maxRequestsInflight + options.maxMutatingRequestsInflight === 0)
    throw new FlagError(
      "priority and fairness needs seats: --max-requests-inflight and --max-mutating-requests-inflight may not both be 0",
    );
  return {
    requestTimeoutMs: options.requestTimeout,
    minWatchMs: options.minRequestTimeout * 1000,
    priorityAndFairness: options.enablePriorityAndFairness,
    maxRequestsInFlight: options.maxRequestsInflight,
    maxMutatingRequestsInFlight: options.maxMutatingRequestsInflight,
    goawayChance: options.goawayChance,
  };
}
