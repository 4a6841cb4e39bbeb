import type { Authentication } from "../authentication/create-authentication.js";
import type { RequestContext } from "../endpoints/request-context.js";
import type { Answer } from "../server/answer.js";
import { anonymous, type UserInfo } from "../server/user-info.js";
import type { AccessMeter } from "../server/metrics/access-metrics.js";
import type { Soon } from "../soon.js";
import type { Filter } from "./filter.js";

/** Finds out who asks, and hides from all that come after it what only said so. */
export const authenticate =
  (authentication: Authentication, { hangsUpOnStrangers, meter }: { hangsUpOnStrangers: boolean; meter: AccessMeter }): Filter =>
  (context, next) => {
    const began = meter.now();
    const refuse = (err: unknown): never => {
      meter.authenticated((err as Error).cause === undefined ? "failure" : "error", meter.now() - began, "");
      if (hangsUpOnStrangers) hangUp(context);
      throw err;
    };
    const goOn = (user: UserInfo): Soon<Answer> => {
      meter.authenticated("success", meter.now() - began, user.name);
      context.user = user;
      context.request.identified?.(user.name);
      if (hangsUpOnStrangers && user.name === anonymous.name) hangUp(context);
      context.request = authentication.strip(context.request);
      return next(context);
    };
    let user: Soon<UserInfo>;
    try {
      user = authentication.identify(context);
    } catch (err) {
      return refuse(err);
    }
    return user instanceof Promise ? user.then(goOn, refuse) : goOn(user);
  };

/** Streams cost a client little and the server more: whoever is not known gets no second one from the same connection. */
function hangUp({ request: { wire } }: RequestContext): void {
  if (wire?.protocol === "HTTP/2.0") wire.hangUp();
}
