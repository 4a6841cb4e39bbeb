import type { Service } from "@coxswain/api/core/v1";
import { describe, expect, it } from "vitest";
import {
  controllerName,
  type Gateway,
  gatewayGroup,
  type HttpRoute,
  type HttpRouteRule,
  type Listener,
  type ParentReference,
  type ReferenceGrant,
} from "../objects/gateway-objects.js";
import { planGateways } from "./plan-gateways.js";
import type { World } from "./world.js";
import { emptyWorld } from "./world.test.support.js";

const listener = (name: string, changes: Partial<Listener> = {}): Listener => ({
  name,
  port: 80,
  protocol: "HTTP",
  ...changes,
});

const gateway = (...listeners: Listener[]): Gateway => ({
  metadata: { name: "edge", namespace: "infra" },
  spec: { gatewayClassName: "ours", listeners },
});

const route = (parent: Partial<ParentReference> = {}, rules?: HttpRouteRule[], hostnames?: string[]): HttpRoute => ({
  metadata: { name: "web", namespace: "infra" },
  spec: { parentRefs: [{ name: "edge", ...parent }], ...(rules && { rules }), ...(hostnames && { hostnames }) },
});

const service = (namespace: string): Service => ({
  metadata: { name: "web", namespace },
  spec: { ports: [{ port: 80 }] },
});

const world = (changes: Partial<World>): World => ({
  ...emptyWorld,
  classes: [{ metadata: { name: "ours" }, spec: { controllerName } }],
  namespace: (name) => ({ metadata: { name, labels: { team: name } } }),
  service: (namespace, name) => (name === "web" ? service(namespace) : undefined),
  ...changes,
});

const show = (conditions: readonly { type: string; status: string; reason: string }[] = []): string[] =>
  conditions
    .filter(({ type, status }) => (status === "True") === (type === "Conflicted"))
    .map(({ type, reason }) => `${type} ${reason}`);

describe("listeners that cannot be served", () => {
  const rows: { name: string; listeners: Listener[]; want: string[][] }[] = [
    { name: "none: one for HTTP", listeners: [listener("a")], want: [[]] },
    {
      name: "two for the same hosts on one port",
      listeners: [listener("a"), listener("b")],
      want: [
        ["Accepted HostnameConflict", "Conflicted HostnameConflict"],
        ["Accepted HostnameConflict", "Conflicted HostnameConflict"],
      ],
    },
    {
      name: "none: two for different hosts on one port",
      listeners: [listener("a", { hostname: "a.test" }), listener("b", { hostname: "b.test" })],
      want: [[], []],
    },
    {
      name: "two protocols on one port",
      listeners: [listener("a"), listener("b", { protocol: "TCP", hostname: "b.test" })],
      want: [
        ["Accepted ProtocolConflict", "Conflicted ProtocolConflict"],
        ["Accepted ProtocolConflict", "Conflicted ProtocolConflict"],
      ],
    },
    {
      name: "another protocol",
      listeners: [listener("a", { protocol: "SCTP" })],
      want: [["Accepted UnsupportedProtocol"]],
    },
    {
      name: "none: TCP and UDP on one port",
      listeners: [listener("a", { protocol: "TCP" }), listener("b", { protocol: "UDP" })],
      want: [[], []],
    },
    {
      name: "two for TCP on one port",
      listeners: [listener("a", { protocol: "TCP" }), listener("b", { protocol: "TCP" })],
      want: [
        ["Accepted ProtocolConflict", "Conflicted ProtocolConflict"],
        ["Accepted ProtocolConflict", "Conflicted ProtocolConflict"],
      ],
    },
    {
      name: "none: passthrough of TLS",
      listeners: [listener("a", { protocol: "TLS", tls: { mode: "Passthrough" } })],
      want: [[]],
    },
    {
      name: "a kind of route that there is not",
      listeners: [listener("a", { allowedRoutes: { kinds: [{ kind: "TCPRoute" }] } })],
      want: [["ResolvedRefs InvalidRouteKinds"]],
    },
    {
      name: "HTTPS whose Secret is not there",
      listeners: [listener("a", { protocol: "HTTPS", tls: { certificateRefs: [{ name: "none" }] } })],
      want: [["ResolvedRefs InvalidCertificateRef"]],
    },
    {
      name: "HTTPS whose Secret is of another namespace, without a grant",
      listeners: [
        listener("a", { protocol: "HTTPS", tls: { certificateRefs: [{ name: "none", namespace: "other" }] } }),
      ],
      want: [["ResolvedRefs RefNotPermitted"]],
    },
  ];
  for (const { name, listeners, want } of rows)
    it(name, () => {
      const [planned] = planGateways(world({ gateways: [gateway(...listeners)] })).gateways;
      expect(planned?.listeners.map(({ conditions }) => show(conditions))).toEqual(want);
      expect(planned?.listeners.map(({ served }) => served !== undefined)).toEqual(want.map((one) => one.length === 0));
    });
});

const grant: ReferenceGrant = {
  metadata: { name: "g", namespace: "shop" },
  spec: {
    from: [{ group: gatewayGroup, kind: "HTTPRoute", namespace: "infra" }],
    to: [{ group: "", kind: "Service" }],
  },
};
const toShop: HttpRouteRule[] = [{ backendRefs: [{ name: "web", namespace: "shop", port: 80 }] }];
const all = { allowedRoutes: { namespaces: { from: "All" as const } } };

describe("routes", () => {
  const rows: {
    name: string;
    listeners?: Listener[];
    route: HttpRoute;
    grants?: ReferenceGrant[];
    want: string[];
    attached: number;
  }[] = [
    { name: "are attached to all listeners", route: route(), want: [], attached: 1 },
    { name: "may name a listener", route: route({ sectionName: "a" }), want: [], attached: 1 },
    {
      name: "may name one that there is not",
      route: route({ sectionName: "b" }),
      want: ["Accepted NoMatchingParent"],
      attached: 0,
    },
    {
      name: "may name a port that there is not",
      route: route({ port: 81 }),
      want: ["Accepted NoMatchingParent"],
      attached: 0,
    },
    {
      name: "of another namespace are not allowed unless the listener allows them",
      route: { ...route({ namespace: "infra" }), metadata: { name: "web", namespace: "shop" } },
      want: ["Accepted NotAllowedByListeners"],
      attached: 0,
    },
    {
      name: "of all namespaces are allowed where the listener allows them",
      listeners: [listener("a", all)],
      route: { ...route({ namespace: "infra" }), metadata: { name: "web", namespace: "shop" } },
      want: [],
      attached: 1,
    },
    {
      name: "of namespaces with a label are allowed by a selector",
      listeners: [
        listener("a", {
          allowedRoutes: { namespaces: { from: "Selector", selector: { matchLabels: { team: "shop" } } } },
        }),
      ],
      route: { ...route({ namespace: "infra" }), metadata: { name: "web", namespace: "shop" } },
      want: [],
      attached: 1,
    },
    {
      name: "without a host in common are not attached",
      listeners: [listener("a", { hostname: "*.a.test" })],
      route: route({}, undefined, ["b.test"]),
      want: ["Accepted NoMatchingListenerHostname"],
      attached: 0,
    },
    {
      name: "to a service of another namespace need a grant",
      route: route({}, toShop),
      want: ["ResolvedRefs RefNotPermitted"],
      attached: 1,
    },
    {
      name: "to a service of another namespace with a grant are resolved",
      route: route({}, toShop),
      grants: [grant],
      want: [],
      attached: 1,
    },
    {
      name: "to a service that there is not are attached and not resolved",
      route: route({}, [{ backendRefs: [{ name: "none", port: 80 }] }]),
      want: ["ResolvedRefs BackendNotFound"],
      attached: 1,
    },
    {
      name: "to another kind are not resolved",
      route: route({}, [{ backendRefs: [{ name: "web", kind: "Bucket", group: "storage.test", port: 80 }] }]),
      want: ["ResolvedRefs InvalidKind"],
      attached: 1,
    },
    {
      name: "all of whose rules have a filter that is not followed are not accepted",
      route: route({}, [{ filters: [{ type: "ExtensionRef" }] }]),
      want: ["Accepted UnsupportedValue"],
      attached: 1,
    },
  ];
  for (const { name, listeners = [listener("a")], route, grants = [], want, attached } of rows)
    it(name, () => {
      const plan = planGateways(world({ gateways: [gateway(...listeners)], httpRoutes: [route], grants }));
      expect([...plan.routes.values()].flat().flatMap(({ conditions }) => show(conditions))).toEqual(want);
      expect(plan.gateways[0]?.listeners[0]?.attachedRoutes).toBe(attached);
    });

  it("one rule of which cannot be served are served by the others", () => {
    const rules: HttpRouteRule[] = [
      { filters: [{ type: "ExtensionRef" }] },
      { backendRefs: [{ name: "web", port: 80 }] },
    ];
    const plan = planGateways(world({ gateways: [gateway(listener("a"))], httpRoutes: [route({}, rules)] }));
    expect([...plan.routes.values()].flat()[0]?.conditions.map(({ type }) => type)).toContain("PartiallyInvalid");
    const service = plan.gateways[0]?.listeners[0]?.served?.service;
    expect(service?.kind === "http" && service.entries).toHaveLength(1);
  });
});

it("Gateways of other classes are not ours", () => {
  const other = { ...gateway(listener("a")), spec: { gatewayClassName: "theirs", listeners: [listener("a")] } };
  expect(planGateways(world({ gateways: [other], httpRoutes: [route()] }))).toEqual({
    gateways: [],
    routes: new Map(),
    policies: [],
  });
});
