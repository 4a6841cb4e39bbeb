import type { Endpoint } from "@coxswain/api/endpoint-slices";
import type { RandomSource } from "@coxswain/runtime/random";
import { type Field, fieldOf } from "@coxswain/wire/http1";
import type { SentRequest } from "../calls/backend-call.js";
import type { ArrivedRequest } from "../calls/client-call.js";
import type { BackendService, BackendTarget } from "../engine/backend.js";
import type { RedirectPorts } from "../engine/engine.js";
import type { RequestMirror, RoutedBackend, RoutedRule } from "../engine/routed-rule.js";
import type { HeaderChanges } from "../objects/gateway-objects.js";
import type { FoundRule } from "../routing/route-table.js";
import { type Answer, emptyAnswer, failure, isGrpc } from "./answer.js";
import { chooseByWeight } from "./choose-by-weight.js";
import { type CorsDecision, planCors } from "./cors.js";
import { forwardedRequest } from "./forwarded-request.js";
import { planRedirect } from "./redirect.js";
import { endpointOfSession, sentSession } from "./session.js";

/** A request that goes to a backend. */
export interface Forwarded {
  readonly kind: "forward";
  readonly rule: RoutedRule;
  readonly service: BackendService;
  readonly endpoints: readonly Endpoint[];
  /** Of the client's session; undefined: any, and where the rule has sessions one begins. */
  readonly endpoint: Endpoint | undefined;
  readonly sent: SentRequest;
  readonly responseChanges: readonly HeaderChanges[];
  readonly cors: CorsDecision | undefined;
  readonly mirrors: readonly BackendService[];
}

export type ExchangePlan = Answer | Forwarded;

export interface PlanContext {
  readonly random: RandomSource;
  readonly now: number;
  /** Where the request arrived. */
  readonly port: number;
  readonly redirectPorts: RedirectPorts;
  /** Without a port, in lower case. */
  readonly host: string;
  readonly path: string;
  readonly query: string;
  endpointsOf(target: BackendTarget): readonly Endpoint[];
}

/** Pure but for chance: what becomes of a request, 404 if no rule was found for it. */
export function planExchange(
  found: FoundRule<RoutedRule> | undefined,
  request: ArrivedRequest,
  context: PlanContext,
): ExchangePlan {
  if (!found) return failure(404, "no route has this host and path", isGrpc(request));
  const { rule, matchedPrefix } = found;
  const { changes } = rule;
  const cors = changes.cors && planCors(changes.cors, request);
  if (cors?.isPreflight) return emptyAnswer(204, cors.fields);
  if (changes.redirect) return redirectAnswer(request, found, context, cors?.fields ?? []);
  const isOfGrpc = rule.protocol === "grpc" || isGrpc(request);
  const chosen = chooseBackend(rule, request.fields, context);
  // As the specification wants it: a part of the requests that leads nowhere fails, and is not given to others.
  if (!chosen) return failure(500, "the route has no backend for this request", isOfGrpc);
  const { backend, endpoint } = chosen;
  const service = backend.destination;
  if (service.kind === "failure") return failure(service.status, service.message, isOfGrpc);
  const endpoints = context.endpointsOf(service.target);
  if (endpoints.length === 0) return failure(503, "no endpoint of the backend is ready", isOfGrpc);
  const mirrors = join(changes.mirrors, backend.changes.mirrors);
  return {
    kind: "forward",
    rule,
    service,
    endpoints,
    endpoint,
    sent: forwardedRequest(request, {
      rule,
      backend,
      service,
      matchedPrefix,
      path: context.path,
      query: context.query,
    }),
    responseChanges: join(changes.responseHeaders, backend.changes.responseHeaders),
    cors: backend.changes.cors ? planCors(backend.changes.cors, request) : cors,
    mirrors: mirrors.length === 0 ? noMirrors : chooseMirrors(mirrors, context.random),
  };
}

const noMirrors: readonly BackendService[] = [];

const chooseMirrors = (mirrors: readonly RequestMirror[], random: RandomSource): BackendService[] =>
  mirrors.flatMap(({ backend: to, fraction }) =>
    to.kind === "service" && random.next() * fraction.denominator < fraction.numerator ? [to] : [],
  );

const join = <One>(first: readonly One[], second: readonly One[]): readonly One[] =>
  second.length === 0 ? first : [...first, ...second];

function redirectAnswer(
  { scheme }: ArrivedRequest,
  { rule, matchedPrefix }: FoundRule<RoutedRule>,
  context: PlanContext,
  cors: readonly Field[],
): Answer {
  const redirect = rule.changes.redirect!;
  const { status, location } = planRedirect({ ...context, scheme, matchedPrefix }, redirect);
  return emptyAnswer(status, [fieldOf("Location", location), ...cors]);
}

/** By the client's session, else by weight. */
function chooseBackend(
  { backends, session }: RoutedRule,
  fields: readonly Field[],
  { random, now, endpointsOf }: PlanContext,
): { readonly backend: RoutedBackend; readonly endpoint: Endpoint | undefined } | undefined {
  const token = session && sentSession(session, fields, now);
  if (token !== undefined)
    for (const backend of backends) {
      if (backend.destination.kind === "failure" || backend.weight === 0) continue;
      const endpoint = endpointOfSession(token, endpointsOf(backend.destination.target));
      if (endpoint) return { backend, endpoint };
    }
  const backend = chooseByWeight(backends, random);
  return backend && { backend, endpoint: undefined };
}
