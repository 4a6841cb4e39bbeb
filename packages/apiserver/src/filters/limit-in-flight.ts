import { textAnswer } from "../endpoints/router-errors.js";
import type { Watermark } from "../metrics/watermark.js";
import type { Filter } from "../request/filter.js";
import { isLongRunning } from "../request/long-running.js";
import type { RequestContext } from "../request/request-context.js";

export interface InFlightLimits {
  /** Requests that only read: how many there are, and how many there may be (0: any number). */
  readonly readOnly: InFlightKind;
  readonly mutating: InFlightKind;
  /** Called for every refused request. */
  readonly onRefused?: (context: RequestContext) => void;
}

export interface InFlightKind {
  readonly atOnce: Watermark;
  readonly limit: number;
}

const reading = new Set(["get", "list", "watch"]);

/** Limits the requests in flight: above the limit 429 with Retry-After of one second. Members of system:masters are exempt. */
export const limitInFlight =
  ({ readOnly, mutating, onRefused }: InFlightLimits): Filter =>
  async (context, next) => {
    if (isLongRunning(context.info)) return next(context);
    const { atOnce, limit } = reading.has(context.info.verb) ? readOnly : mutating;
    if (limit > 0 && atOnce.current >= limit && !context.user.groups.includes("system:masters")) {
      onRefused?.(context);
      return textAnswer(429, "Too many requests, please try again later.\n", { "retry-after": "1" });
    }
    atOnce.add(1);
    try {
      return await next(context);
    } finally {
      atOnce.add(-1);
    }
  };
