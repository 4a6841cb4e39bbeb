import { parseDurationMs } from "@coxswain/apimachinery/time";
import { noChanges, type RoutedRule } from "../engine/routed-rule.js";
import type { HttpRoute, HttpRouteRule } from "../objects/gateway-objects.js";
import { matchProblem, type RouteEntry } from "../routing/route-table.js";
import { fails, holds, type PlannedCondition } from "./conditions.js";
import { planChanges, unsupportedFilter } from "./plan-changes.js";
import { resolveBackend } from "./resolve-backend.js";
import { keyOf, type World } from "./world.js";

/** What a route asks for, whatever it is attached to. */
export interface PlannedRoute {
  /** Without hostnames: those are common to the route and a listener. */
  readonly entries: readonly Omit<RouteEntry<RoutedRule>, "hostname">[];
  readonly resolvedRefs: PlannedCondition;
  /** Not undefined: none, or not all, of the rules can be served. */
  readonly problem: { readonly isWhole: boolean; readonly message: string } | undefined;
}

/** Pure. A rule that asks for something that is not there is left out, and the route's conditions name it. */
export function planHttpRoute(route: HttpRoute, world: World): PlannedRoute {
  const { creationTimestamp = "" } = route.metadata;
  const name = keyOf(route);
  const rules = route.spec.rules ?? [{}];
  const problems = rules.map(ruleProblem);
  const planned = rules.map((rule) => planRule(rule, route, world));
  let index = 0;
  const entries = rules.flatMap((rule, at) =>
    (rule.matches?.length ? rule.matches : [{}]).flatMap((match) => {
      const order = { createdAt: creationTimestamp, name, index: index++ };
      return problems[at] === undefined ? [{ match, rule: planned[at]!.rule, route: order, isOneLabel: false }] : [];
    }),
  );
  const unresolved = planned.find(({ unresolved }) => unresolved)?.unresolved;
  const wrong = problems.filter((problem) => problem !== undefined);
  return {
    entries,
    resolvedRefs: unresolved ?? holds("ResolvedRefs"),
    problem: wrong[0] === undefined ? undefined : { isWhole: wrong.length === rules.length, message: wrong[0] },
  };
}

function ruleProblem({ matches = [], filters = [] }: HttpRouteRule): string | undefined {
  const filter = unsupportedFilter(filters);
  if (filter !== undefined) return `filters of type ${filter} are not supported`;
  return matches.map(matchProblem).find((problem) => problem !== undefined);
}

function planRule(
  { name = "", filters = [], backendRefs = [], timeouts }: HttpRouteRule,
  route: HttpRoute,
  world: World,
): { readonly rule: RoutedRule; readonly unresolved: PlannedCondition | undefined } {
  const resolved = backendRefs.map((reference) => resolveBackend(reference, route.metadata.namespace ?? "", world));
  const problem = resolved.find((one) => one.problem)?.problem;
  const rule: RoutedRule = {
    route: `HTTPRoute ${keyOf(route)}`,
    name,
    protocol: "http",
    changes: filters.length > 0 ? planChanges(filters) : noChanges,
    backends: resolved.map(({ backend }) => backend),
    timeouts: { requestMs: limitMs(timeouts?.request), backendRequestMs: limitMs(timeouts?.backendRequest) },
    retry: undefined,
    session: undefined,
  };
  return { rule, unresolved: problem && fails("ResolvedRefs", problem.reason, problem.message) };
}

const limitMs = (limit: string | undefined): number => parseDurationMs(limit ?? "0s") ?? 0;
