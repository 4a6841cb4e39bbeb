import type { RequestChanges } from "../engine/routed-rule.js";
import type { HttpRouteFilter } from "../objects/gateway-objects.js";

/** The first filter that is not followed here; undefined: all of them are. */
export const unsupportedFilter = (filters: readonly HttpRouteFilter[]): string | undefined =>
  filters.find(({ type }) => !supportedFilters.has(type))?.type;

const supportedFilters = new Set(["RequestHeaderModifier", "ResponseHeaderModifier", "RequestRedirect", "URLRewrite"]);

/** What the filters of a rule or of a backend change. All are followed: `unsupportedFilter` was asked before. */
export const planChanges = (filters: readonly HttpRouteFilter[] = []): RequestChanges => ({
  cors: undefined,
  mirrors: [],
  requestHeaders: filters.flatMap(({ requestHeaderModifier: changes }) => (changes ? [changes] : [])),
  responseHeaders: filters.flatMap(({ responseHeaderModifier: changes }) => (changes ? [changes] : [])),
  redirect: filters.find(({ requestRedirect }) => requestRedirect)?.requestRedirect,
  rewrite: filters.find(({ urlRewrite }) => urlRewrite)?.urlRewrite,
});
