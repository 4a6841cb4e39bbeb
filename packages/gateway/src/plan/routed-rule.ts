import type { HeaderChanges, HttpRouteFilter, PathChange } from "../objects/gateway-objects.js";

/** What happens to requests of one rule. */
export interface RoutedRule {
  /** `kind namespace/name`, for logs. */
  readonly route: string;
  readonly changes: RequestChanges;
  /** Empty: requests that are not redirected get a 500. */
  readonly backends: readonly PlannedBackend[];
  /** Milliseconds until a request without an answer gets a 504. 0: no limit. */
  readonly timeoutMs: number;
}

export interface RequestChanges {
  readonly requestHeaders: readonly HeaderChanges[];
  readonly responseHeaders: readonly HeaderChanges[];
  readonly redirect: HttpRouteFilter["requestRedirect"];
  readonly rewrite: { readonly hostname?: string; readonly path?: PathChange } | undefined;
}

/** A port of a Service that gets a part of the requests. */
export interface PlannedBackend {
  readonly weight: number;
  /** Undefined: the reference leads nowhere; its part of the requests gets a 500. */
  readonly target: BackendTarget | undefined;
  readonly changes: RequestChanges;
}

export interface BackendTarget {
  readonly namespace: string;
  readonly service: string;
  /** Of the Service's port; EndpointSlices have the port under it. */
  readonly portName: string;
}

export const noChanges: RequestChanges = {
  requestHeaders: [],
  responseHeaders: [],
  redirect: undefined,
  rewrite: undefined,
};

/** The first filter that is not followed here; undefined: all of them are. */
export const unsupportedFilter = (filters: readonly HttpRouteFilter[]): string | undefined =>
  filters.find(({ type }) => !supportedFilters.has(type))?.type;

const supportedFilters = new Set(["RequestHeaderModifier", "ResponseHeaderModifier", "RequestRedirect", "URLRewrite"]);

/** What the filters of a rule or of a backend change. All are followed: `unsupportedFilter` was asked before. */
export const planChanges = (filters: readonly HttpRouteFilter[] = []): RequestChanges => ({
  requestHeaders: filters.flatMap(({ requestHeaderModifier: changes }) => (changes ? [changes] : [])),
  responseHeaders: filters.flatMap(({ responseHeaderModifier: changes }) => (changes ? [changes] : [])),
  redirect: filters.find(({ requestRedirect }) => requestRedirect)?.requestRedirect,
  rewrite: filters.find(({ urlRewrite }) => urlRewrite)?.urlRewrite,
});
