import { createTokenBucket } from "@coxswain/runtime/backoff";
import type { Clock } from "@coxswain/runtime/clock";
import type { Interceptor } from "../transport/interceptor.js";

export interface RateLimit {
  /** Requests per second in the long run. */
  readonly qps: number;
  /** At once, after a pause. @default twice `qps` */
  readonly burst?: number;
  readonly clock: Clock;
}

/** Holds requests back on the client's side; watches count when they are opened. */
export function limitRate({ qps, burst = Math.max(1, 2 * qps), clock }: RateLimit): Interceptor {
  const bucket = createTokenBucket({ perSecond: qps, burst, clock });
  return (next) => ({
    async send(request) {
      await bucket.take(request.signal);
      return next.send(request);
    },
    async watch(request) {
      await bucket.take(request.signal);
      return next.watch(request);
    },
    close: () => next.close(),
  });
}
