import { fieldOf } from "@coxswain/wire/http1";
import { describe, expect, it } from "vitest";
import type { ArrivedRequest } from "../calls/client-call.js";
import type { BackendDestination } from "../engine/backend.js";
import { noChanges, type RoutedBackend, type RoutedRule } from "../engine/routed-rule.js";
import { changeFields } from "./change-fields.js";
import { withoutHopByHop } from "./hop-by-hop.js";
import { planExchange } from "./plan-exchange.js";

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
  method: "GET",
  scheme: "http",
  authority: "a.test",
  target: "/x?q=1",
  fields: [fieldOf("Host", "a.test")],
  hasBody: false,
  bodyBytes: undefined,
  upgrade: undefined,
  protocol: "HTTP/1.1",
  clientAddress: "192.0.2.1",
};
const plan = (routed: RoutedRule | undefined, drawn = 0, sent = request) =>
  planExchange(routed && { rule: routed, matchedPrefix: "" }, sent, {
    random: { next: () => drawn } as never,
    now: 0,
    host: "a.test",
    port: 80,
    path: "/x",
    query: "q=1",
    redirectPorts: { http: 80, https: 443 },
    endpointsOf: ({ service }) => (service === "empty" ? [] : [{ address: service, port: 8080 }]),
  });
const pairs = (fields: readonly { name: string; value: string }[]) => fields.map(({ name, value }) => [name, value]);

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
      want: { kind: "forward", endpoints: [{ address: "a", port: 8080 }] },
    },
    {
      name: "goes to the last backend with the end of the draw",
      rule: rule({ backends: [backend(3, "a"), backend(1, "b"), backend(0, "none")] }),
      drawn: 0.99,
      want: { endpoints: [{ address: "b", port: 8080 }] },
    },
    {
      name: "is redirected before backends are looked at",
      rule: rule({ backends: [], changes: { ...noChanges, redirect: { scheme: "https" } } }),
      want: { status: 302, fields: [{ value: "https://a.test/x?q=1" }, {}] },
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
    fields: [
      fieldOf("Host", "a.test"),
      fieldOf("X-Forwarded-For", "198.51.100.1"),
      fieldOf("Connection", "close, X-Secret, X-Forwarded-For"),
      fieldOf("X-Secret", "1"),
    ],
  };
  const planned = plan(rule({ changes }), 0, sent);
  if (planned.kind !== "forward") throw new Error("it was answered");
  expect(planned.sent).toMatchObject({ target: "/y?q=1", authority: "b.test" });
  expect(pairs(planned.sent.fields)).toEqual([
    ["X-Forwarded-For", "198.51.100.1, 192.0.2.1"],
    ["X-Forwarded-Proto", "http"],
    ["X-Team", "shop"],
  ]);
});

it("headers that a client names in Connection go, except for those that backends trust", () => {
  const fields = [
    fieldOf("Connection", "X-Mine, X-Forwarded-For"),
    fieldOf("X-Mine", "1"),
    fieldOf("X-Forwarded-For", "a"),
    fieldOf("Transfer-Encoding", "chunked"),
  ];
  expect(pairs(withoutHopByHop(fields))).toEqual([["X-Forwarded-For", "a"]]);
});

it("headers are removed, set and added, whatever their case", () => {
  const fields = [fieldOf("Host", "a"), fieldOf("X-Gone", "1"), fieldOf("X-Set", "old"), fieldOf("X-Add", "first")];
  const changes = {
    remove: ["x-gone"],
    set: [{ name: "x-set", value: "new" }],
    add: [{ name: "X-Add", value: "second" }],
  };
  expect(pairs(changeFields(fields, [changes]))).toEqual([
    ["Host", "a"],
    ["X-Add", "first"],
    ["x-set", "new"],
    ["X-Add", "second"],
  ]);
});

it("a length without a body does not reach the backend: there it would be another request's beginning", () => {
  const sent = { ...request, fields: [...request.fields, fieldOf("content-length", "5")] };
  const planned = plan(rule(), 0, sent);
  expect(planned.kind === "forward" && pairs(planned.sent.fields).map(([name]) => name)).toEqual([
    "X-Forwarded-For",
    "X-Forwarded-Proto",
  ]);
});
