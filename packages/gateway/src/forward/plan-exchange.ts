import type { Endpoint } from "@coxswain/api/endpoint-slices";
import type { RandomSource } from "@coxswain/runtime/random";
import type { BackendTarget } from "../engine/backend.js";
import type { RoutedBackend, RoutedRule } from "../engine/routed-rule.js";
import type { HeaderChanges } from "../objects/gateway-objects.js";
import type { FoundRule } from "../routing/route-table.js";
import { changeHeaders, changePath, type HeaderLines, planRedirect } from "./change-request.js";

/** A request as it arrived. */
export interface ArrivedRequest {
  readonly scheme: "http" | "https";
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly query: string;
  readonly headers: HeaderLines;
  readonly clientAddress: string;
  /** The protocol that it asks to change to, such as `websocket`; undefined: none. */
  readonly upgrade: string | undefined;
}

export type Exchange =
  | { readonly kind: "answer"; readonly status: number; readonly message: string; readonly location?: string }
  | {
      readonly kind: "forward";
      readonly endpoint: Endpoint;
      readonly target: string;
      readonly headers: HeaderLines;
      readonly responseHeaders: readonly HeaderChanges[];
      readonly timeoutMs: number;
    };

/** Pure but for chance: what becomes of a request, 404 if no rule was found for it. */
export function planExchange(
  found: FoundRule<RoutedRule> | undefined,
  request: ArrivedRequest,
  { random, endpointsOf }: { random: RandomSource; endpointsOf(target: BackendTarget): readonly Endpoint[] },
): Exchange {
  if (!found) return answer(404, "no route has this host and path");
  const { rule, matchedPrefix } = found;
  if (rule.changes.redirect) {
    const { status, location } = planRedirect({ ...request, matchedPrefix }, rule.changes.redirect);
    return { ...answer(status, ""), location };
  }
  const backend = chooseByWeight(rule.backends, random);
  // As the specification wants it: a part of the requests that leads nowhere fails, and is not given to others.
  if (!backend) return answer(500, "the route has no backend for this request");
  const { destination } = backend;
  if (destination.kind === "failure") return answer(destination.status, destination.message);
  const endpoints = endpointsOf(destination.target);
  const endpoint = endpoints[Math.floor(random.next() * endpoints.length)];
  if (!endpoint) return answer(503, "no endpoint of the backend is ready");
  const rewrite = backend.changes.rewrite ?? rule.changes.rewrite;
  const path = changePath(request.path, matchedPrefix, rewrite?.path);
  return {
    kind: "forward",
    endpoint,
    target: request.query === "" ? path : `${path}?${request.query}`,
    headers: forwardedHeaders(request, rewrite?.hostname, [
      ...rule.changes.requestHeaders,
      ...backend.changes.requestHeaders,
    ]),
    responseHeaders: [...rule.changes.responseHeaders, ...backend.changes.responseHeaders],
    timeoutMs: shorter(rule.timeouts.requestMs, rule.timeouts.backendRequestMs),
  };
}

/** One attempt is made, so that the shorter of both limits holds. 0: no limit. */
const shorter = (a: number, b: number): number => (a === 0 ? b : b === 0 ? a : Math.min(a, b));

const answer = (status: number, message: string) => ({ kind: "answer", status, message }) as const;

function chooseByWeight(backends: readonly RoutedBackend[], random: RandomSource): RoutedBackend | undefined {
  const total = backends.reduce((sum, { weight }) => sum + weight, 0);
  let rest = random.next() * total;
  return backends.find(({ weight }) => (rest -= weight) < 0);
}

/** Of one connection, and not of the request (RFC 9110, section 7.6.1). */
const ofConnection = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** The header lines without those of the connection, whether by their name or because `Connection` names them. */
export function withoutHopByHop(lines: HeaderLines): HeaderLines {
  const named = lines
    .filter(([name]) => name.toLowerCase() === "connection")
    .flatMap(([, value]) => value.split(",").map((one) => one.trim().toLowerCase()));
  const gone = new Set([...ofConnection, ...named.filter((name) => !kept.has(name))]);
  return lines.filter(([name]) => !gone.has(name.toLowerCase()));
}

/** Who may not be taken away by naming them in `Connection`: backends trust them (CVE-2022-31813). */
const kept = new Set(["host", "content-length", "x-forwarded-for", "x-forwarded-proto", "x-forwarded-host"]);

function forwardedHeaders(
  { headers, scheme, clientAddress, upgrade }: ArrivedRequest,
  hostname: string | undefined,
  changes: readonly HeaderChanges[],
): HeaderLines {
  const before = headers.find(([name]) => name.toLowerCase() === "x-forwarded-for")?.[1];
  let lines = changeHeaders(withoutHopByHop(headers), {
    set: [
      { name: "X-Forwarded-For", value: before === undefined ? clientAddress : `${before}, ${clientAddress}` },
      { name: "X-Forwarded-Proto", value: scheme },
      ...(hostname === undefined ? [] : [{ name: "Host", value: hostname }]),
    ],
  });
  for (const change of changes) lines = changeHeaders(lines, change);
  return upgrade === undefined ? lines : [...lines, ["Connection", "Upgrade"], ["Upgrade", upgrade]];
}
