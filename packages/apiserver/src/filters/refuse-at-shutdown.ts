import { textAnswer } from "../endpoints/router-errors.js";
import type { Filter } from "../request/filter.js";

/** Monitoring goes on to the end. */
const exempt = ["/readyz", "/livez", "/healthz", "/metrics"];

/** While the last requests are being answered, new ones are sent elsewhere: 429, come back in five seconds, over another connection. */
export const refuseAtShutdown =
  (isRefusing: () => boolean): Filter =>
  (context, next) => {
    if (
      !isRefusing() ||
      exempt.some((prefix) => context.info.path.startsWith(prefix)) ||
      context.request.header("user-agent")?.startsWith("kube-apiserver/")
    )
      return next(context);
    context.request.wire?.closeConnection();
    return textAnswer(429, "The apiserver is shutting down, please try again later.\n", { "retry-after": "5" });
  };
