import { once } from "node:events";
import { createServer, get, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { type ApiServer, createInProcessTransport, startApiServer } from "@coxswain/apiserver";
import { type Client, createClient } from "@coxswain/client";
import { systemRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage/memory";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { writeStatuses } from "./controller/write-statuses.js";
import { testDefinitions } from "./definitions.test.support.js";
import {
  controllerName,
  type Gateway,
  type GatewayClass,
  gatewayGroup,
  type HttpRoute,
} from "./objects/gateway-objects.js";
import { planGateways } from "./plan/plan-gateways.js";
import type { World } from "./plan/world.js";
import { emptyWorld } from "./plan/world.test.support.js";
import { type RunningGateway, startGateway } from "./start-gateway.js";

const runtime = systemRuntime();
const namespace = "default";
const user = { name: "admin", groups: ["system:masters"] };
let server: ApiServer;
let client: Client;
let backend: Server;
let gateway: RunningGateway;
let ports: { http: number; gateway: number };

/** A port that was free just now. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

const dynamic = <Kind extends object>(resource: string, kind: string, version = "v1") =>
  client.dynamic<Kind>(
    { group: gatewayGroup, version, resource, kind },
    kind === "GatewayClass" ? undefined : namespace,
  );

/** Each Service has one endpoint whose address is the service's: the test's network answers all of them. */
async function makeService(name: string, address: string): Promise<void> {
  await client.core.v1.services(namespace).create({ metadata: { name }, spec: { ports: [{ name: "web", port: 80 }] } });
  await client.discovery.v1.endpointslices(namespace).create({
    metadata: { name, labels: { "kubernetes.io/service-name": name } },
    addressType: "IPv4",
    ports: [{ name: "web", port: 8080, protocol: "TCP" }],
    endpoints: [{ addresses: [address], conditions: { ready: true } }],
  });
}

beforeAll(async () => {
  server = await startApiServer({
    runtime,
    store: createMemoryStore({ runtime }),
    admission: { disabled: ["ServiceAccount"] },
  });
  client = createClient({ transport: createInProcessTransport(server, { user }), runtime });
  backend = createServer((request, response) => {
    response.setHeader("X-Backend", "yes");
    response.end(JSON.stringify({ url: request.url, headers: request.headers }));
  }).listen(0, "127.0.0.1");
  await once(backend, "listening");
  const { port } = backend.address() as AddressInfo;
  await makeService("web", "10.1.0.1");
  ports = { http: await freePort(), gateway: await freePort() };
  gateway = startGateway({
    runtime,
    client,
    network: {
      connectInside({ hostname }) {
        if (hostname === "10.1.0.1") return connect(port, "127.0.0.1");
        throw Object.assign(new Error(`connect ECONNREFUSED ${hostname}`), { code: "ECONNREFUSED" });
      },
    },
    addresses: { kind: "single", address: "127.0.0.1" },
    ingress: { address: "127.0.0.1", httpPort: ports.http, httpsPort: 0 },
    portOffset: 0,
  });
  await gateway.ready;
});

afterAll(async () => {
  await gateway.stop();
  backend.close();
  await server.stop();
});

interface Answered {
  readonly status: number;
  readonly body: string;
  readonly headers: NodeJS.Dict<string | string[]>;
}

async function ask(port: number, host: string, path = "/"): Promise<Answered> {
  const request = get({ host: "127.0.0.1", port, path, headers: { Host: `${host}:${port}` }, agent: false });
  const [response] = await once(request, "response");
  let body = "";
  for await (const chunk of response) body += chunk;
  return { status: response.statusCode, body, headers: response.headers };
}

const until = <T>(check: () => Promise<T> | T): Promise<T> => vi.waitFor(check, { timeout: 30_000, interval: 20 });

it("an Ingress of the class leads to its service, and its status has the address", async () => {
  await client.networking.v1
    .ingressclasses()
    .create({ metadata: { name: "coxswain" }, spec: { controller: controllerName } });
  await client.networking.v1.ingresses(namespace).create({
    metadata: { name: "web" },
    spec: {
      ingressClassName: "coxswain",
      rules: [
        {
          host: "web.localhost",
          http: {
            paths: [{ path: "/app", pathType: "Prefix", backend: { service: { name: "web", port: { name: "web" } } } }],
          },
        },
      ],
    },
  });
  const { body } = await until(async () => {
    const answered = await ask(ports.http, "web.localhost", "/app/x?q=1");
    expect(answered.status).toBe(200);
    return answered;
  });
  expect(JSON.parse(body)).toMatchObject({
    url: "/app/x?q=1",
    headers: { host: `web.localhost:${ports.http}`, "x-forwarded-for": "127.0.0.1", "x-forwarded-proto": "http" },
  });
  expect(await ask(ports.http, "web.localhost", "/other")).toMatchObject({ status: 404 });
  expect(await ask(ports.http, "other.localhost", "/app")).toMatchObject({ status: 404 });
  await until(async () => {
    const { status } = await client.networking.v1.ingresses(namespace).get("web");
    expect(status?.loadBalancer?.ingress).toEqual([{ ip: "127.0.0.1" }]);
  });
});

describe("a Gateway whose definitions come while the gateway runs", () => {
  beforeAll(async () => {
    for (const definition of testDefinitions)
      await client.apiextensions.v1.customresourcedefinitions().create(definition);
    await until(() => dynamic("gateways", "Gateway").list());
    await until(() => dynamic("httproutes", "HTTPRoute").list());
    await until(() => dynamic("gatewayclasses", "GatewayClass").list());
    await dynamic<object>("gatewayclasses", "GatewayClass").create({
      metadata: { name: "coxswain" },
      spec: { controllerName },
    } as never);
    await dynamic<Gateway>("gateways", "Gateway").create({
      metadata: { name: "edge" },
      spec: {
        gatewayClassName: "coxswain",
        listeners: [
          { name: "web", port: ports.gateway, protocol: "HTTP", hostname: "*.test" },
          { name: "sctp", port: 9, protocol: "SCTP" },
        ],
      },
    } as never);
    await dynamic<HttpRoute>("httproutes", "HTTPRoute").create({
      metadata: { name: "web" },
      spec: {
        parentRefs: [{ name: "edge" }, { name: "edge", sectionName: "none" }],
        hostnames: ["shop.test"],
        rules: [
          {
            matches: [{ path: { type: "PathPrefix", value: "/old" } }],
            filters: [
              {
                type: "RequestRedirect",
                requestRedirect: { path: { type: "ReplacePrefixMatch", replacePrefixMatch: "/new" } },
              },
            ],
          },
          {
            matches: [{ path: { type: "PathPrefix", value: "/broken" } }],
            backendRefs: [{ name: "missing", port: 80 }],
          },
          {
            filters: [
              {
                type: "ResponseHeaderModifier",
                responseHeaderModifier: { set: [{ name: "X-Route", value: "web" }], remove: ["x-backend"] },
              },
              { type: "URLRewrite", urlRewrite: { hostname: "inner.test" } },
            ],
            backendRefs: [{ name: "web", port: 80 }],
          },
        ],
      },
    } as never);
  });

  it("forwards by the route, with its changes of the request and the answer", async () => {
    const answered = await until(async () => {
      const got = await ask(ports.gateway, "shop.test", "/a");
      expect(got.status).toBe(200);
      return got;
    });
    expect(JSON.parse(answered.body)).toMatchObject({ url: "/a", headers: { host: "inner.test" } });
    expect(answered.headers).toMatchObject({ "x-route": "web" });
    expect(answered.headers["x-backend"]).toBeUndefined();
  });

  it("redirects, fails and does not find as the specification wants it", async () => {
    const redirected = await ask(ports.gateway, "shop.test", "/old/x?q=1");
    expect(redirected.status).toBe(302);
    expect(redirected.headers["location"]).toBe(`http://shop.test:${ports.gateway}/new/x?q=1`);
    expect(await ask(ports.gateway, "shop.test", "/broken")).toMatchObject({ status: 500 });
    expect(await ask(ports.gateway, "other.test")).toMatchObject({ status: 404 });
    expect(await ask(ports.gateway, "shop.example")).toMatchObject({ status: 404 });
  });

  it("reports what is served in the conditions of class, gateway, listeners and route", async () => {
    const [{ status }, route] = await until(async () => {
      const read = await dynamic<Gateway>("gateways", "Gateway").get("edge");
      const parents = await dynamic<HttpRoute>("httproutes", "HTTPRoute").get("web");
      expect(read.status?.listeners?.[0]?.attachedRoutes).toBe(1);
      expect(parents.status?.parents).toHaveLength(2);
      return [read, parents] as const;
    });
    const reasons = (conditions: readonly { type: string; status: string; reason: string }[] = []) =>
      conditions.map(({ type, status: is, reason }) => `${type}=${is} ${reason}`);
    expect(status?.addresses).toEqual([{ type: "IPAddress", value: "127.0.0.1" }]);
    expect(reasons(status?.conditions)).toEqual(["Accepted=True ListenersNotValid", "Programmed=True Programmed"]);
    expect(status?.listeners?.map(({ conditions }) => reasons(conditions))).toEqual([
      [
        "Accepted=True Accepted",
        "Conflicted=False NoConflicts",
        "ResolvedRefs=True ResolvedRefs",
        "Programmed=True Programmed",
      ],
      [
        "Accepted=False UnsupportedProtocol",
        "Conflicted=False NoConflicts",
        "ResolvedRefs=True ResolvedRefs",
        "Programmed=False Invalid",
      ],
    ]);
    expect(route.status?.parents?.map(({ conditions }) => reasons(conditions))).toEqual([
      ["Accepted=True Accepted", "ResolvedRefs=False BackendNotFound"],
      ["Accepted=False NoMatchingParent", "ResolvedRefs=False BackendNotFound"],
    ]);
  });

  it("statuses that are right are not written again, whatever the order of their members", async () => {
    const world: World = {
      ...emptyWorld,
      classes: (await dynamic<GatewayClass>("gatewayclasses", "GatewayClass").list()).items,
      gateways: [await dynamic<Gateway>("gateways", "Gateway").get("edge")],
      httpRoutes: [await dynamic<HttpRoute>("httproutes", "HTTPRoute").get("web")],
      service: (_, name) => (name === "web" ? { spec: { ports: [{ name: "web", port: 80 }] } } : undefined),
    };
    let written = 0;
    const transport = createInProcessTransport(server, { user });
    const counting = createClient({ transport, runtime, onRequest: () => void written++ });
    await writeStatuses(runtime, counting, {
      plan: planGateways(world),
      ingresses: [],
      world,
      assignedTo: () => ({ addresses: ["127.0.0.1"], unusable: [] }),
      ingressAddress: "127.0.0.1",
      outcomeOf: () => undefined,
    });
    expect(written).toBe(0);
  });

  it("a route that goes is served no longer", async () => {
    await dynamic<HttpRoute>("httproutes", "HTTPRoute").delete("web");
    await until(async () => expect(await ask(ports.gateway, "shop.test", "/a")).toMatchObject({ status: 404 }));
  });
});
