import { describe, expect, it } from "vitest";
import type { HttpRouteMatch } from "../objects/gateway-objects.js";
import { buildRouteTable, matchProblem, type RouteEntry, type RouteRequest } from "./route-table.js";

interface Row {
  readonly rule: string;
  readonly hostname?: string;
  readonly match?: HttpRouteMatch;
  readonly createdAt?: string;
  readonly isOneLabel?: boolean;
}

const entryOf = (row: Row, index: number): RouteEntry<string> => {
  const { rule, hostname = "", match = {}, createdAt = "2026", isOneLabel = false } = row;
  return { hostname, isOneLabel, match, rule, route: { createdAt, name: `default/${rule}`, index } };
};

function request(url: string, headers: Record<string, string> = {}, method = "GET"): RouteRequest {
  const { hostname, pathname, search } = new URL(url, "http://any.test");
  return { method, host: hostname, path: pathname, query: search.slice(1), header: (name) => headers[name] };
}

const prefix = (value: string): HttpRouteMatch => ({ path: { type: "PathPrefix", value } });
const exact = (value: string): HttpRouteMatch => ({ path: { type: "Exact", value } });
const expression = (value: string): HttpRouteMatch => ({ path: { type: "RegularExpression", value } });

/** Each line: the rules, a request, and the rule that it goes by. */
const rows: { name: string; rules: Row[]; sent: RouteRequest; want: string | undefined }[] = [
  { name: "a rule without a match takes all", rules: [{ rule: "a" }], sent: request("/x/y"), want: "a" },
  {
    name: "an exact path goes before a prefix",
    rules: [
      { rule: "prefix", match: prefix("/one") },
      { rule: "exact", match: exact("/one") },
    ],
    sent: request("/one"),
    want: "exact",
  },
  {
    name: "an exact path has no slash more or less",
    rules: [{ rule: "a", match: exact("/one") }],
    sent: request("/one/"),
    want: undefined,
  },
  {
    name: "the longest prefix counts",
    rules: [
      { rule: "root", match: prefix("/") },
      { rule: "ab", match: prefix("/a/b") },
      { rule: "a", match: prefix("/a") },
    ],
    sent: request("/a/b/c"),
    want: "ab",
  },
  {
    name: "a prefix ends where a segment ends",
    rules: [{ rule: "v2", match: prefix("/v2") }],
    sent: request("/v2example"),
    want: undefined,
  },
  {
    name: "a slash at the end of a prefix makes no difference",
    rules: [{ rule: "v2", match: prefix("/v2/") }],
    sent: request("/v2"),
    want: "v2",
  },
  {
    name: "an expression goes before a prefix, and has to match the whole path",
    rules: [
      { rule: "prefix", match: prefix("/api") },
      { rule: "short", match: expression("/api") },
      { rule: "expression", match: expression("/api/v[0-9]+") },
    ],
    sent: request("/api/v2"),
    want: "expression",
  },
  {
    name: "a method goes before headers",
    rules: [
      { rule: "header", match: { headers: [{ name: "Version", value: "2" }] } },
      { rule: "method", match: { method: "GET" } },
    ],
    sent: request("/", { version: "2" }),
    want: "method",
  },
  {
    name: "more headers go before fewer",
    rules: [
      { rule: "one", match: { headers: [{ name: "Version", value: "2" }] } },
      {
        rule: "two",
        match: {
          headers: [
            { name: "Version", value: "2" },
            { name: "Colour", value: "red" },
          ],
        },
      },
    ],
    sent: request("/", { version: "2", colour: "red" }),
    want: "two",
  },
  {
    name: "of two matches of one header the first counts",
    rules: [
      {
        rule: "a",
        match: {
          headers: [
            { name: "Version", value: "2" },
            { name: "version", value: "3" },
          ],
        },
      },
    ],
    sent: request("/", { version: "2" }),
    want: "a",
  },
  {
    name: "a rule whose header is missing leaves the request to a shorter prefix",
    rules: [
      { rule: "long", match: { ...prefix("/a/b"), headers: [{ name: "version", value: "2" }] } },
      { rule: "short", match: prefix("/a") },
    ],
    sent: request("/a/b"),
    want: "short",
  },
  {
    name: "the first of equal query parameters counts",
    rules: [{ rule: "dog", match: { queryParams: [{ name: "animal", value: "dog" }] } }],
    sent: request("/?animal=dog&animal=cat"),
    want: "dog",
  },
  {
    name: "a host of its own goes before a wildcard, and this before any",
    rules: [{ rule: "any" }, { rule: "wild", hostname: "*.test" }, { rule: "own", hostname: "a.test" }],
    sent: request("http://a.test/"),
    want: "own",
  },
  {
    name: "a host without a rule for the path leaves the request to a wildcard",
    rules: [
      { rule: "wild", hostname: "*.test" },
      { rule: "own", hostname: "a.test", match: prefix("/other") },
    ],
    sent: request("http://a.test/"),
    want: "wild",
  },
  {
    name: "the older of two equal routes counts",
    rules: [
      { rule: "a", createdAt: "2027" },
      { rule: "b", createdAt: "2026" },
    ],
    sent: request("/"),
    want: "b",
  },
  {
    name: "a star of a Gateway's host stands for several labels",
    rules: [{ rule: "wild", hostname: "*.test" }],
    sent: request("http://a.b.test/"),
    want: "wild",
  },
  {
    name: "a star of an Ingress's host stands for one label",
    rules: [{ rule: "wild", hostname: "*.test", isOneLabel: true }],
    sent: request("http://a.b.test/"),
    want: undefined,
  },
  {
    name: "a host of one label below the star of an Ingress is one of its hosts",
    rules: [{ rule: "wild", hostname: "*.test", isOneLabel: true }],
    sent: request("http://a.test/"),
    want: "wild",
  },
  { name: "of equal age the name counts", rules: [{ rule: "b" }, { rule: "a" }], sent: request("/"), want: "a" },
];

describe("a request goes by the most specific rule", () => {
  for (const { name, rules, sent, want } of rows)
    it(name, () => expect(buildRouteTable(rules.map(entryOf)).find(sent)?.rule).toBe(want));
});

it("the part of the path that a prefix matched is known", () => {
  const table = buildRouteTable([{ rule: "a", match: prefix("/a/b/") }].map(entryOf));
  expect(table.find(request("/a/b/c"))?.matchedPrefix).toBe("/a/b");
});

it("a match with an expression that is none has a problem", () => {
  expect(matchProblem(expression("/a("))).toContain('the regular expression "/a(" cannot be used');
  expect(matchProblem(expression("/a"))).toBeUndefined();
});

it("a path of many segments is looked up as far as the longest prefix", () => {
  const table = buildRouteTable([{ rule: "a", match: prefix("/a") }].map(entryOf));
  expect(table.find(request(`/a${"/b".repeat(100_000)}`))?.rule).toBe("a");
});
