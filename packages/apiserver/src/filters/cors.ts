import { compileRegexp } from "@coxswain/apimachinery/regexp";
import type { DocumentAnswer } from "../request/answer.js";
import type { Filter } from "../request/filter.js";

const allowances = {
  "access-control-allow-methods": "POST, GET, OPTIONS, PUT, DELETE, PATCH",
  "access-control-allow-headers":
    "Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since",
  "access-control-expose-headers": "Date",
  "access-control-allow-credentials": "true",
} as const;

/** Nothing but headers: the answer to a browser that asks beforehand. */
const preflight: DocumentAnswer = { as: "document", code: 204, contentType: "", bytes: new Uint8Array(0) };

/** Lets scripts of the named origins use the API from a browser (CORS). Patterns are regular expressions with Go's syntax; throws for one that is none. */
export function allowCrossOrigins(patterns: readonly string[]): Filter {
  const allowed = patterns.map((pattern) => compileRegexp(pattern));
  return (context, next) => {
    const origin = allowed.length === 0 ? undefined : context.request.header("origin");
    if (origin === undefined || origin === "" || !allowed.some((pattern) => pattern.test(origin))) return next(context);
    context.extraHeaders = { ...context.extraHeaders, "access-control-allow-origin": origin, ...allowances };
    return context.request.method === "OPTIONS" ? preflight : next(context);
  };
}
