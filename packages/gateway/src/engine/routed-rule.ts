import type { HeaderChanges, PathChange, RequestRedirect } from "../objects/gateway-objects.js";
import type { WeightedBackend } from "./backend.js";

/** What happens to requests of one rule, of an HTTPRoute, a GRPCRoute or an Ingress. */
export interface RoutedRule {
  /** `kind namespace/name`, for logs. */
  readonly route: string;
  /** Of the rule, for logs; empty: it has none. */
  readonly name: string;
  /** `grpc`: what goes wrong is answered with a gRPC status in trailers. */
  readonly protocol: "http" | "grpc";
  readonly changes: RequestChanges;
  /** Empty: requests that are not redirected get a 500. */
  readonly backends: readonly RoutedBackend[];
  readonly timeouts: RouteTimeouts;
  /** Undefined: one attempt. */
  readonly retry: RetryPolicy | undefined;
  readonly session: SessionPersistence | undefined;
}

/** A backend with filters of its own: they follow the rule's. */
export interface RoutedBackend extends WeightedBackend {
  readonly changes: RequestChanges;
}

/** What filters do, each kind in the order of the filters. CORS is first; a redirect ends a request before mirrors and backends. */
export interface RequestChanges {
  readonly cors: CorsPolicy | undefined;
  readonly requestHeaders: readonly HeaderChanges[];
  readonly responseHeaders: readonly HeaderChanges[];
  readonly redirect: RequestRedirect | undefined;
  readonly rewrite: UrlRewrite | undefined;
  readonly mirrors: readonly RequestMirror[];
}

export interface UrlRewrite {
  readonly hostname?: string;
  readonly path?: PathChange;
}

/** A copy of the request, as the backend gets it, whose answer is thrown away. It never slows the request, or makes it fail. */
export interface RequestMirror {
  readonly backend: WeightedBackend["destination"];
  /** Of `denominator` requests so many are mirrored. 1 of 1: all. */
  readonly fraction: { readonly numerator: number; readonly denominator: number };
}

/** HTTPCORSFilter. `*` in a list stands for all, where credentials are not allowed; with them the asked value is answered. */
export interface CorsPolicy {
  /** `scheme://host[:port]`, with `*` for the host or its first labels; or `*`. */
  readonly allowOrigins: readonly string[];
  readonly allowCredentials: boolean;
  readonly allowMethods: readonly string[];
  readonly allowHeaders: readonly string[];
  readonly exposeHeaders: readonly string[];
  readonly maxAgeSeconds: number;
}

/** Milliseconds; 0: no limit. Either one that ends gives a 504. */
export interface RouteTimeouts {
  /** From the request's head to the end of the answer, all attempts included. */
  readonly requestMs: number;
  /** Of each attempt, until the answer is complete. */
  readonly backendRequestMs: number;
}

/** Failed connections, attempts out of time and these codes are tried again, while nothing of an answer was sent and the body can be sent again. */
export interface RetryPolicy {
  /** After the first one. */
  readonly attempts: number;
  readonly codes: readonly number[];
  /** The shortest wait before an attempt. */
  readonly backoffMs: number;
}

/** Requests of a session go to the endpoint that its first request went to, as long as it is ready; also across backends of weights. */
export interface SessionPersistence {
  /** Of the cookie or header. */
  readonly name: string;
  readonly carrier: "cookie" | "header";
  /** 0: none. */
  readonly absoluteTimeoutMs: number;
  /** `Permanent`: the cookie ends with the absolute time-out; else with the browser. */
  readonly lifetime: "Session" | "Permanent";
}

export const noChanges: RequestChanges = {
  cors: undefined,
  requestHeaders: [],
  responseHeaders: [],
  redirect: undefined,
  rewrite: undefined,
  mirrors: [],
};
