import type { Filter } from "../request/filter.js";

/** Makes browsers use TLS only (`max-age=31536000`, `includeSubDomains`, `preload`). */
export function strictTransport(directives: readonly string[]): Filter {
  const value = directives.join("; ");
  return (context, next) => {
    if (value !== "") context.extraHeaders = { ...context.extraHeaders, "strict-transport-security": value };
    return next(context);
  };
}
