import type { Soon } from "@coxswain/runtime/soon";
import type { Authentication } from "../authentication/create-authentication.js";
import type { Answer } from "../request/answer.js";
import type { Filter, Handler } from "../request/filter.js";
import type { RequestContext } from "../request/request-context.js";
import { anonymous, type UserInfo } from "../request/user-info.js";
import type { AccessMetrics } from "./access-metrics.js";

export interface AuthenticateOptions {
  readonly closesAnonymous: boolean;
  readonly metrics: AccessMetrics;
}

/** Finds the user of a request, and hides the credentials from all filters after it. */
export function authenticate(
  authentication: Authentication,
  { closesAnonymous, metrics }: AuthenticateOptions,
): Filter {
  const refuse = (err: unknown, context: RequestContext, began: number): never => {
    metrics.authenticated((err as Error).cause === undefined ? "failure" : "error", metrics.now() - began, "");
    if (closesAnonymous) closeConnection(context);
    throw err;
  };
  const goOn = (user: UserInfo, context: RequestContext, next: Handler, began: number): Soon<Answer> => {
    metrics.authenticated("success", metrics.now() - began, user.name);
    context.user = user;
    context.request.identified?.(user.name);
    if (closesAnonymous && user.name === anonymous.name) closeConnection(context);
    context.request = authentication.strip(context.request);
    return next(context);
  };
  const goOnLater = (user: Promise<UserInfo>, context: RequestContext, next: Handler, began: number): Promise<Answer> =>
    user.then(
      (known) => goOn(known, context, next, began),
      (err: unknown) => refuse(err, context, began),
    );
  return (context, next) => {
    const began = metrics.now();
    let user: Soon<UserInfo>;
    try {
      user = authentication.identify(context);
    } catch (err) {
      return refuse(err, context, began);
    }
    return user instanceof Promise ? goOnLater(user, context, next, began) : goOn(user, context, next, began);
  };
}

/** Streams cost a client little and the server more: a client that is not authenticated gets no second one from the same connection. */
function closeConnection({ request: { wire } }: RequestContext): void {
  if (wire?.protocol === "HTTP/2.0") wire.closeConnection();
}
