import { compileRegexp, type Regexp } from "@coxswain/apimachinery/regexp";
import type { HttpRouteMatch, ValueMatch } from "../objects/gateway-objects.js";
import { namesOfHost } from "./hostname.js";

/** What routes look at. */
export interface RouteRequest {
  readonly method: string;
  /** In lower case, without a port. */
  readonly host: string;
  /** As it was sent, without the query. */
  readonly path: string;
  /** Behind the question mark; empty if there is none. */
  readonly query: string;
  /** By its name in lower case; several lines are one value, joined by commas. */
  header(name: string): string | undefined;
}

export interface RouteMatch extends HttpRouteMatch {
  /** The method of a gRPC request whatever its service is: the path is of two segments, this is the last. */
  readonly anyServiceMethod?: string;
}

/** One match of one rule, under one hostname. */
export interface RouteEntry<Rule> {
  /** `a.b`, `*.b`, or empty: any host. */
  readonly hostname: string;
  /** Whether the star of `*.b` stands for exactly one label, as in an Ingress; in a Gateway it stands for one or more. */
  readonly isOneLabel: boolean;
  readonly match: RouteMatch;
  readonly rule: Rule;
  /** Decides between equally specific matches: the older route, then the one whose `namespace/name` comes first, then the earlier rule. */
  readonly route: { readonly createdAt: string; readonly name: string; readonly index: number };
}

/** The rule that a request goes by, and what of its path the rule's prefix matched. */
export interface FoundRule<Rule> {
  readonly rule: Rule;
  /** Empty unless the path was matched by a prefix; without a slash at its end. */
  readonly matchedPrefix: string;
}

/**
 * Rules by hostname and path. Finding one costs as many look-ups as the host has labels and the path has segments, however many rules there
 * are; only rules of equal hostname and path are tried one after the other.
 */
export interface RouteTable<Rule> {
  find(request: RouteRequest): FoundRule<Rule> | undefined;
}

interface Candidate<Rule> {
  readonly entry: RouteEntry<Rule>;
  readonly headers: readonly ValueTest[];
  readonly queryParams: readonly ValueTest[];
}

interface HostRoutes<Rule> {
  readonly exact: Map<string, Candidate<Rule>[]>;
  readonly prefixes: Map<string, Candidate<Rule>[]>;
  readonly expressions: { readonly path: Regexp; readonly candidate: Candidate<Rule> }[];
  /** A longer path is not looked up further than this: its segments may be many. */
  longestPrefix: number;
}

/** @throws RegexpError for an expression that is none: callers check their matches by `matchProblem` before */
export function buildRouteTable<Rule>(entries: readonly RouteEntry<Rule>[]): RouteTable<Rule> {
  const hosts = new Map<string, HostRoutes<Rule>>();
  for (const entry of entries.toSorted(byPrecedence)) addEntry(hosts, entry);
  return {
    find(request) {
      for (const name of namesOfHost(request.host)) {
        const routes = hosts.get(name);
        const found = routes && findInHost(routes, request);
        if (found) return found;
      }
      return undefined;
    },
  };
}

function addEntry<Rule>(hosts: Map<string, HostRoutes<Rule>>, entry: RouteEntry<Rule>): void {
  const routes = getOrMake(hosts, entry.hostname, () => ({
    exact: new Map(),
    prefixes: new Map(),
    expressions: [],
    longestPrefix: 0,
  }));
  const { path, headers, queryParams } = entry.match;
  const candidate = { entry, headers: testsOf(headers, true), queryParams: testsOf(queryParams, false) };
  const value = path?.value ?? "/";
  switch (path?.type ?? "PathPrefix") {
    case "Exact":
      return void getOrMake(routes.exact, value, () => []).push(candidate);
    case "RegularExpression":
      return void routes.expressions.push({ path: wholeText(value), candidate });
    case "PathPrefix": {
      const prefix = withoutSlash(value);
      routes.longestPrefix = Math.max(routes.longestPrefix, prefix.length);
      return void getOrMake(routes.prefixes, prefix, () => []).push(candidate);
    }
  }
}

/** Exact paths before expressions, these before prefixes; longer ones before shorter ones. */
function findInHost<Rule>(routes: HostRoutes<Rule>, request: RouteRequest): FoundRule<Rule> | undefined {
  const exact = routes.exact.get(request.path)?.find((candidate) => holds(candidate, request));
  if (exact) return { rule: exact.entry.rule, matchedPrefix: "" };
  for (const { path, candidate } of routes.expressions)
    if (path.test(request.path) && holds(candidate, request)) return { rule: candidate.entry.rule, matchedPrefix: "" };
  for (const prefix of prefixesOf(request.path, routes.longestPrefix)) {
    const found = routes.prefixes.get(prefix)?.find((candidate) => holds(candidate, request));
    if (found) return { rule: found.entry.rule, matchedPrefix: prefix };
  }
  return undefined;
}

/** The prefixes of a path at the ends of its segments, longest first: `/a/b/` has `/a/b`, `/a` and the empty one. */
function* prefixesOf(path: string, longest: number): Iterable<string> {
  for (let end = withoutSlash(path).length; end > 0; end = path.lastIndexOf("/", end - 1))
    if (end <= longest) yield path.slice(0, end);
  yield "";
}

const withoutSlash = (path: string): string => (path.endsWith("/") ? path.slice(0, -1) : path);

const holds = <Rule>({ entry, headers, queryParams }: Candidate<Rule>, request: RouteRequest): boolean =>
  (!entry.isOneLabel || isOneLabelOf(entry.hostname, request.host)) &&
  (entry.match.anyServiceMethod === undefined || isMethod(request.path, entry.match.anyServiceMethod)) &&
  (entry.match.method === undefined || entry.match.method === request.method) &&
  headers.every(({ name, matches }) => matches(request.header(name))) &&
  (queryParams.length === 0 || queryHolds(queryParams, request.query));

const isMethod = (path: string, method: string): boolean =>
  path.endsWith(`/${method}`) &&
  path.length > method.length + 2 &&
  path.lastIndexOf("/", path.length - method.length - 2) === 0;

const isOneLabelOf = (hostname: string, host: string): boolean =>
  !hostname.startsWith("*.") || host.indexOf(".") === host.length - hostname.length + 1;

/** Of a parameter that is there more than once the first one counts. */
function queryHolds(tests: readonly ValueTest[], query: string): boolean {
  const sent = new URLSearchParams(query);
  return tests.every(({ name, matches }) => matches(sent.get(name) ?? undefined));
}

interface ValueTest {
  readonly name: string;
  matches(value: string | undefined): boolean;
}

/** Of matches of one name only the first counts. */
function testsOf(matches: readonly ValueMatch[] = [], isHeader: boolean): ValueTest[] {
  const tests = new Map<string, ValueTest>();
  for (const { type, name: written, value } of matches) {
    const name = isHeader ? written.toLowerCase() : written;
    if (tests.has(name)) continue;
    const expression = type === "RegularExpression" ? wholeText(value) : undefined;
    tests.set(name, {
      name,
      matches: expression ? (sent) => sent !== undefined && expression.test(sent) : (sent) => sent === value,
    });
  }
  return [...tests.values()];
}

/** An expression that has to match all of a text. */
const wholeText = (source: string): Regexp => compileRegexp(`^(?:${source})$`);

/** Why the match cannot be routed by; undefined: it can. */
export function matchProblem({ path, headers = [], queryParams = [] }: HttpRouteMatch): string | undefined {
  const sources = [path, ...headers, ...queryParams].filter((match) => match?.type === "RegularExpression");
  for (const source of sources)
    try {
      wholeText(source?.value ?? "");
    } catch (error) {
      return `the regular expression "${source?.value}" cannot be used: ${(error as Error).message}`;
    }
  return undefined;
}

/**
 * The order of the specification (HTTPRouteRule.matches) among entries whose host and path are equal: a method, more headers, more query
 * parameters, the older route, its name, its earlier rule. Of expressions the longer one is first.
 */
function byPrecedence<Rule>(a: RouteEntry<Rule>, b: RouteEntry<Rule>): number {
  return (
    (b.match.path?.value?.length ?? 1) - (a.match.path?.value?.length ?? 1) ||
    (b.match.anyServiceMethod?.length ?? 0) - (a.match.anyServiceMethod?.length ?? 0) ||
    Number(b.match.method !== undefined) - Number(a.match.method !== undefined) ||
    (b.match.headers?.length ?? 0) - (a.match.headers?.length ?? 0) ||
    (b.match.queryParams?.length ?? 0) - (a.match.queryParams?.length ?? 0) ||
    compare(a.route.createdAt, b.route.createdAt) ||
    compare(a.route.name, b.route.name) ||
    a.route.index - b.route.index
  );
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function getOrMake<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
