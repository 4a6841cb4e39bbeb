import type { RandomSource } from "@coxswain/runtime/random";
import type { Filter } from "../request/filter.js";

/**
 * `--goaway-chance`: sends GOAWAY to a client of HTTP/2 now and then, so that behind a load balancer clients spread over the servers
 * again. Requests in flight are not disturbed. HTTP/1.1 clients open connections often enough.
 */
export const closeByGoaway =
  (chance: number, random: RandomSource): Filter =>
  (context, next) => {
    if (chance > 0 && random.next() < chance && context.request.wire?.protocol === "HTTP/2.0")
      context.request.wire.closeConnection();
    return next(context);
  };
