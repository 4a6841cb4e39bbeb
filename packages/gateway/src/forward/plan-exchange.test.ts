import { describe, expect, it } from "vitest";
import type { BackendDestination } from "../engine/backend.js";
import { noChanges, type RoutedBackend, type RoutedRule } from "../engine/routed-rule.js";
import { type ArrivedRequest, planExchange, withoutHopByHop } from "./plan-exchange.js";

const target = { namespace: "default", service: "web", portName: "" };
const nowhere: BackendDestination = { kind: "failure", status: 500, message: "there is no such Service" };
const backend = (weight: number, service = "web"): RoutedBackend => ({
  weight,
  destination: { kind: "service", target: { ...target, service }, protocol: "http1", tls: undefined },
  changes: noChanges,
});
const rule = (changes: Partial<RoutedRule> = {}): RoutedRule => ({
  route: "HTTPRoute default/web",
  name: "",
  protocol: "http",
  changes: noChanges,
  backends: [backend(1)],
  timeouts: { requestMs: 0, backendRequestMs: 0 },
  retry: undefined,
  session: undefined,
  ...changes,
});
const request: ArrivedRequest = {
  scheme: "http",
  host: "a.test",
  port: 80,
  path: "/x",
  query: "q=1",
  headers: [["Host", "a.test"]],
  clientAddress: "192.0.2.1",
  upgrade: undefined,
};
const drawing = (value: number) => ({
  random: { next: () => value } as never,
  endpointsOf: ({ service }: typeof target) => (service === "empty" ? [] : [{ address: service, port: 8080 }]),
});
const plan = (routed: RoutedRule | undefined, drawn = 0, sent = request) =>
  planExchange(routed && { rule: routed, matchedPrefix: "" }, sent, drawing(drawn));

describe("a request", () => {
  const rows: { name: string; rule: RoutedRule | undefined; drawn?: number; want: object }[] = [
    { name: "without a rule is not found", rule: undefined, want: { status: 404 } },
    { name: "of a rule without backends fails", rule: rule({ backends: [] }), want: { status: 500 } },
    {
      name: "that chance gives to a reference that leads nowhere fails",
      rule: rule({ backends: [backend(1), { ...backend(1), destination: nowhere }] }),
      drawn: 0.7,
      want: { status: 500 },
    },
    {
      name: "for which no endpoint is ready gets a 503",
      rule: rule({ backends: [backend(1, "empty")] }),
      want: { status: 503 },
    },
    {
      name: "goes to backends by their weight",
      rule: rule({ backends: [backend(0, "none"), backend(3, "a"), backend(1, "b")] }),
      drawn: 0.74,
      want: { kind: "forward", endpoint: { address: "a", port: 8080 } },
    },
    {
      name: "goes to the last backend with the end of the draw",
      rule: rule({ backends: [backend(3, "a"), backend(1, "b"), backend(0, "none")] }),
      drawn: 0.99,
      want: { endpoint: { address: "b", port: 8080 } },
    },
    {
      name: "is redirected before backends are looked at",
      rule: rule({ backends: [], changes: { ...noChanges, redirect: { scheme: "https" } } }),
      want: { status: 302, location: "https://a.test/x?q=1" },
    },
  ];
  for (const { name, rule, drawn, want } of rows) it(name, () => expect(plan(rule, drawn)).toMatchObject(want));
});

it("what is forwarded has the client's address, the scheme, the rewritten host and the changed headers", () => {
  const changes = {
    ...noChanges,
    requestHeaders: [{ set: [{ name: "X-Team", value: "shop" }] }],
    rewrite: { hostname: "b.test", path: { type: "ReplaceFullPath", replaceFullPath: "/y" } as const },
  };
  const sent: ArrivedRequest = {
    ...request,
    headers: [
      ["Host", "a.test"],
      ["X-Forwarded-For", "198.51.100.1"],
      ["Connection", "close, X-Secret, X-Forwarded-For"],
      ["X-Secret", "1"],
    ],
  };
  expect(plan(rule({ changes }), 0, sent)).toMatchObject({
    target: "/y?q=1",
    headers: [
      ["X-Forwarded-For", "198.51.100.1, 192.0.2.1"],
      ["X-Forwarded-Proto", "http"],
      ["Host", "b.test"],
      ["X-Team", "shop"],
    ],
  });
});

it("headers that a client names in Connection go, except for those that backends trust", () => {
  const lines = [
    ["Connection", "X-Mine, X-Forwarded-For"],
    ["X-Mine", "1"],
    ["X-Forwarded-For", "a"],
    ["Transfer-Encoding", "chunked"],
  ] as const;
  expect(withoutHopByHop(lines)).toEqual([["X-Forwarded-For", "a"]]);
});
