import type { Authentication } from "../authentication/create-authentication.js";
import type { RequestContext } from "../endpoints/request-context.js";
import { anonymous } from "../server/user-info.js";
import type { Filter } from "./filter.js";

/** Finds out who asks, and hides from all that come after it what only said so. */
export const authenticate =
  (authentication: Authentication, { hangsUpOnStrangers }: { hangsUpOnStrangers: boolean }): Filter =>
  async (context, next) => {
    try {
      context.user = await authentication.identify(context);
    } catch (err) {
      if (hangsUpOnStrangers) hangUp(context);
      throw err;
    }
    if (hangsUpOnStrangers && context.user.name === anonymous.name) hangUp(context);
    context.request = authentication.strip(context.request);
    return next(context);
  };

/** Streams cost a client little and the server more: whoever is not known gets no second one from the same connection. */
function hangUp({ request: { wire } }: RequestContext): void {
  if (wire?.protocol === "HTTP/2.0") wire.hangUp();
}
