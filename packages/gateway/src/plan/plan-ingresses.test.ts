import type { Ingress } from "@coxswain/api/networking/v1";
import { describe, expect, it } from "vitest";
import { controllerName } from "../objects/gateway-objects.js";
import { buildRouteTable, type RouteRequest } from "../routing/route-table.js";
import { planIngresses } from "./plan-ingresses.js";
import type { World } from "./world.js";
import { emptyWorld } from "./world.test.support.js";

const backend = (name: string) => ({ service: { name, port: { number: 80 } } });
const ingress = (spec: Ingress["spec"], name = "web"): Ingress => ({
  metadata: { name, namespace: "default" },
  spec: { ingressClassName: "ours", ...spec },
});
const path = (value: string, service: string, pathType: "Prefix" | "Exact" = "Prefix") => ({
  path: value,
  pathType,
  backend: backend(service),
});
const rule = (host: string | undefined, ...paths: ReturnType<typeof path>[]) => ({
  ...(host !== undefined && { host }),
  http: { paths },
});

const world = (ingresses: Ingress[]): World => ({
  ...emptyWorld,
  ingressClasses: [{ metadata: { name: "ours" }, spec: { controller: controllerName } }],
  ingresses,
  service: (namespace, name) => ({ metadata: { name, namespace }, spec: { ports: [{ port: 80 }] } }),
});

/** The service that a request for `host/path` goes to. */
function serviceFor(ingresses: Ingress[], url: string): string | undefined {
  const { listeners } = planIngresses(world(ingresses), { http: 80, https: 443, withoutClass: false });
  const { hostname, pathname } = new URL(`http://${url}`);
  const request: RouteRequest = { method: "GET", host: hostname, path: pathname, query: "", header: () => undefined };
  const service = listeners[0]?.service;
  const destination = buildRouteTable(service?.kind === "http" ? service.entries : []).find(request)?.rule.backends[0]
    ?.destination;
  return destination?.kind === "service" ? destination.target.service : undefined;
}

/** The behaviours of the ingress controllers' conformance suite. */
describe("a request of an Ingress goes to", () => {
  const rows: { name: string; ingresses: Ingress[]; url: string; want: string | undefined }[] = [
    {
      name: "the path's service",
      ingresses: [ingress({ rules: [rule("a.test", path("/x", "x"))] })],
      url: "a.test/x/y",
      want: "x",
    },
    {
      name: "none for another host",
      ingresses: [ingress({ rules: [rule("a.test", path("/x", "x"))] })],
      url: "b.test/x",
      want: undefined,
    },
    {
      name: "none for a prefix within a segment",
      ingresses: [ingress({ rules: [rule("a.test", path("/x", "x"))] })],
      url: "a.test/xy",
      want: undefined,
    },
    {
      name: "an exact path before a prefix",
      ingresses: [ingress({ rules: [rule("a.test", path("/x", "prefix"), path("/x", "exact", "Exact"))] })],
      url: "a.test/x",
      want: "exact",
    },
    {
      name: "none for an exact path with a slash more",
      ingresses: [ingress({ rules: [rule("a.test", path("/x", "x", "Exact"))] })],
      url: "a.test/x/",
      want: undefined,
    },
    {
      name: "the longest prefix",
      ingresses: [ingress({ rules: [rule("a.test", path("/", "root"), path("/x/y", "xy"))] })],
      url: "a.test/x/y/z",
      want: "xy",
    },
    {
      name: "a rule without a host, for any host",
      ingresses: [ingress({ rules: [rule(undefined, path("/", "any"))] })],
      url: "b.test/",
      want: "any",
    },
    {
      name: "a wildcard for one label",
      ingresses: [ingress({ rules: [rule("*.a.test", path("/", "wild"))] })],
      url: "b.a.test/",
      want: "wild",
    },
    {
      name: "no wildcard for two labels",
      ingresses: [ingress({ rules: [rule("*.a.test", path("/", "wild"))] })],
      url: "c.b.a.test/",
      want: undefined,
    },
    {
      name: "no wildcard for the domain itself",
      ingresses: [ingress({ rules: [rule("*.a.test", path("/", "wild"))] })],
      url: "a.test/",
      want: undefined,
    },
    {
      name: "the default backend for any host",
      ingresses: [ingress({ defaultBackend: backend("default") })],
      url: "b.test/z",
      want: "default",
    },
    {
      name: "the default backend for a path that no rule of the host has",
      ingresses: [ingress({ defaultBackend: backend("default"), rules: [rule("a.test", path("/x", "x"))] })],
      url: "a.test/z",
      want: "default",
    },
    {
      name: "none of another class",
      ingresses: [ingress({ ingressClassName: "theirs", defaultBackend: backend("x") })],
      url: "a.test/",
      want: undefined,
    },
  ];
  for (const { name, ingresses, url, want } of rows) it(name, () => expect(serviceFor(ingresses, url)).toBe(want));
});
