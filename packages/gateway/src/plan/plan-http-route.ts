import { parseDurationMs } from "@coxswain/apimachinery/time";
import type { RetryPolicy, RoutedRule, SessionPersistence } from "../engine/routed-rule.js";
import type { HttpRoute, HttpRouteRule, SessionPersistenceSpec } from "../objects/gateway-objects.js";
import { matchProblem, type RouteMatch } from "../routing/route-table.js";
import { unsupportedFilter } from "./plan-changes.js";
import {
  createResolver,
  type PlannedRoute,
  type ReferenceResolver,
  type RouteFacts,
  summarize,
} from "./planned-route.js";
import { keyOf } from "./world.js";

/** Pure. A rule that asks for something that is not there is left out, and the route's conditions name it. */
export function planHttpRoute(route: HttpRoute, facts: RouteFacts): PlannedRoute {
  const resolver = createResolver("HTTPRoute", route, facts);
  const rules = (route.spec.rules ?? [{}]).map(
    (rule): RuleToPlan => ({
      matches: rule.matches ?? [],
      problem: ruleProblem(rule),
      plan: () => planRule(rule, route, resolver),
    }),
  );
  return {
    kind: "HTTPRoute",
    route,
    entries: planEntries(route, rules),
    backends: [],
    resolvedRefs: resolver.resolvedRefs,
    problem: summarize(rules.map(({ problem }) => problem)),
    services: resolver.services,
  };
}

export interface RuleToPlan {
  /** None: all requests. */
  readonly matches: readonly RouteMatch[];
  /** Why the rule cannot be served. */
  readonly problem: string | undefined;
  plan(): RoutedRule;
}

/** Pure: the entries of a route's rules. References of rules that cannot be served are followed too: conditions name them. */
export function planEntries(
  route: HttpRoute | { readonly metadata: HttpRoute["metadata"] },
  rules: readonly RuleToPlan[],
): PlannedRoute["entries"] {
  const { creationTimestamp = "" } = route.metadata;
  const name = keyOf(route);
  let index = 0;
  return rules.flatMap(({ matches, problem, plan }) => {
    const rule = plan();
    return (matches.length > 0 ? matches : [{}]).flatMap((match) => {
      const order = { createdAt: creationTimestamp, name, index: index++ };
      return problem === undefined ? [{ match, rule, route: order, isOneLabel: false }] : [];
    });
  });
}

export function ruleProblem({
  matches = [],
  filters = [],
}: Pick<HttpRouteRule, "matches" | "filters">): string | undefined {
  const filter = unsupportedFilter(filters);
  if (filter !== undefined) return `filters of type ${filter} are not supported`;
  return matches.map(matchProblem).find((problem) => problem !== undefined);
}

function planRule(rule: HttpRouteRule, route: HttpRoute, resolver: ReferenceResolver): RoutedRule {
  const { name = "", filters = [], backendRefs = [], timeouts, retry, sessionPersistence } = rule;
  return {
    route: `HTTPRoute ${keyOf(route)}`,
    name,
    protocol: "http",
    changes: resolver.changes(filters.filter(({ type }) => type !== "ExtensionRef")),
    backends: backendRefs.map(resolver.routed),
    timeouts: { requestMs: limitMs(timeouts?.request), backendRequestMs: limitMs(timeouts?.backendRequest) },
    retry: retry && planRetry(retry),
    session: planSession(sessionPersistence),
  };
}

const limitMs = (limit: string | undefined): number => parseDurationMs(limit ?? "0s") ?? 0;

/** What the specification leaves to implementations, as most have it. */
const [defaultAttempts, defaultBackoffMs] = [1, 25];

const planRetry = ({
  codes = [],
  attempts = defaultAttempts,
  backoff,
}: NonNullable<HttpRouteRule["retry"]>): RetryPolicy => ({
  attempts,
  codes,
  backoffMs: backoff === undefined ? defaultBackoffMs : limitMs(backoff),
});

export function planSession(spec: SessionPersistenceSpec | undefined): SessionPersistence | undefined {
  if (!spec) return undefined;
  const carrier = spec.type === "Header" ? "header" : "cookie";
  return {
    name: spec.sessionName ?? (carrier === "header" ? "X-Coxswain-Session" : "coxswain-session"),
    carrier,
    absoluteTimeoutMs: limitMs(spec.absoluteTimeout),
    lifetime: spec.cookieConfig?.lifetimeType ?? "Session",
  };
}
