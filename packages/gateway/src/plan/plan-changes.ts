import type { BackendDestination } from "../engine/backend.js";
import type { RequestChanges, RequestMirror } from "../engine/routed-rule.js";
import type { BackendObjectReference, CorsFilter, HttpRouteFilter, MirrorFilter } from "../objects/gateway-objects.js";

/** The first filter that is not followed here; undefined: all of them are. */
export const unsupportedFilter = (filters: readonly HttpRouteFilter[]): string | undefined =>
  filters.find(({ type }) => !supportedFilters.has(type))?.type;

const supportedFilters = new Set([
  "RequestHeaderModifier",
  "ResponseHeaderModifier",
  "RequestRedirect",
  "URLRewrite",
  "RequestMirror",
  "CORS",
]);

/** What the filters of a rule or of a backend change. All are followed: `unsupportedFilter` was asked before. */
export function planChanges(
  filters: readonly HttpRouteFilter[],
  resolve: (reference: BackendObjectReference) => BackendDestination,
): RequestChanges {
  const cors = filters.find((filter) => filter.cors)?.cors;
  return {
    cors: cors && planCors(cors),
    requestHeaders: filters.flatMap(({ requestHeaderModifier: changes }) => changes ?? []),
    responseHeaders: filters.flatMap(({ responseHeaderModifier: changes }) => changes ?? []),
    redirect: filters.find(({ requestRedirect }) => requestRedirect)?.requestRedirect,
    rewrite: filters.find(({ urlRewrite }) => urlRewrite)?.urlRewrite,
    mirrors: filters.flatMap(({ requestMirror }) => (requestMirror ? planMirror(requestMirror, resolve) : [])),
  };
}

/** Percent and fraction exclude each other; without them all requests are mirrored. */
const planMirror = (
  { backendRef, percent, fraction }: MirrorFilter,
  resolve: (reference: BackendObjectReference) => BackendDestination,
): RequestMirror => ({
  backend: resolve(backendRef),
  fraction: fraction
    ? { numerator: fraction.numerator, denominator: fraction.denominator ?? 100 }
    : { numerator: percent ?? 100, denominator: 100 },
});

/** Seconds that a browser keeps an answer, unless the filter sets it (HTTPCORSFilter.maxAge). */
const defaultMaxAge = 5;

const planCors = ({ maxAge = defaultMaxAge, ...cors }: CorsFilter): RequestChanges["cors"] => ({
  allowOrigins: cors.allowOrigins ?? [],
  allowCredentials: cors.allowCredentials ?? false,
  allowMethods: cors.allowMethods ?? [],
  allowHeaders: cors.allowHeaders ?? [],
  exposeHeaders: cors.exposeHeaders ?? [],
  maxAgeSeconds: maxAge,
});
