import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from "node:net";
import type { Service } from "@coxswain/api/core/v1";
import { systemRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage/memory";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { clusterFeatureGates } from "../cluster-feature-gates.js";
import { type Cluster, startCluster } from "../start-cluster.js";

const isLinux = process.platform === "linux";
/** A range of this test's own, so that it does not meet a cluster that runs. */
const pool = isLinux
  ? ({ kind: "range", first: "127.131.0.1", last: "127.131.0.254" } as const)
  : ({ kind: "single", address: "127.0.0.1" } as const);

let cluster: Cluster;
const closing: (() => void)[] = [];

beforeAll(async () => {
  cluster = await startCluster({
    runtime: systemRuntime(),
    featureGates: clusterFeatureGates(),
    apiServer: { store: createMemoryStore({ runtime: systemRuntime() }) },
    nodes: 1,
    loadBalancers: pool,
  });
});
afterAll(async () => {
  for (const close of closing) close();
  await cluster.stop();
});

const services = () => cluster.client.core.v1.services("default");

async function freePort(): Promise<number> {
  const server = createTcpServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** With or without an error. */
const closeOf = (socket: Socket): Promise<void> =>
  new Promise((resolve) => socket.on("error", () => {}).once("close", () => resolve()));

async function ingressOf(
  name: string,
): Promise<NonNullable<NonNullable<Service["status"]>["loadBalancer"]>["ingress"]> {
  return (await services().get(name)).status?.loadBalancer?.ingress;
}

async function eventsOf(name: string): Promise<string[]> {
  const { items } = await cluster.client.core.v1.events("default").list();
  return items.flatMap(({ involvedObject, type, reason, message }) =>
    involvedObject.name === name ? [`${type} ${reason} ${message}`] : [],
  );
}

const whenServed = (name: string): Promise<string> =>
  vi.waitFor(
    async () => {
      const ip = (await ingressOf(name))?.[0]?.ip;
      expect(ip).toBeDefined();
      return ip!;
    },
    { timeout: 20_000 },
  );

/** A service without a selector whose endpoint is a port of this machine at an address that the API allows. */
async function serveElsewhere(name: string, port: number, backendPort: number, protocol: "TCP" | "UDP"): Promise<void> {
  await services().create({ metadata: { name }, spec: { type: "LoadBalancer", ports: [{ port, protocol }] } });
  await cluster.client.discovery.v1.endpointslices("default").create({
    metadata: { name, labels: { "kubernetes.io/service-name": name } },
    addressType: "IPv4",
    ports: [{ name: "", port: backendPort, protocol }],
    endpoints: [{ addresses: ["203.0.113.9"] }],
  });
}

describe("load balancers of a cluster in this process", () => {
  it("relay connections to simulated pods, and are released with their service", async () => {
    const labels = { app: "web" };
    await cluster.client.core.v1.pods("default").create({
      metadata: { name: "web", labels },
      spec: { containers: [{ name: "web", image: "nginx", ports: [{ containerPort: 80 }] }] },
    });
    const port = await freePort();
    await services().create({
      metadata: { name: "web" },
      spec: { type: "LoadBalancer", selector: labels, ports: [{ name: "http", port, targetPort: 80 }] },
    });
    const ip = await whenServed("web");
    expect(await ingressOf("web")).toEqual([{ ip, ipMode: "Proxy", ports: [{ port, protocol: "TCP" }] }]);
    await vi.waitFor(async () => expect((await fetch(`http://${ip}:${port}/`)).status).toBe(200), { timeout: 30_000 });
    await services().delete("web");
    await vi.waitFor(() => expect(fetch(`http://${ip}:${port}/`)).rejects.toThrow("fetch failed"), { timeout: 20_000 });
  });

  it("a service whose type changes loses its address", async () => {
    const port = await freePort();
    await services().create({ metadata: { name: "changing" }, spec: { type: "LoadBalancer", ports: [{ port }] } });
    await whenServed("changing");
    await services().patch("changing", { merge: { spec: { type: "ClusterIP" } } });
    await vi.waitFor(async () => expect(await ingressOf("changing")).toBeUndefined(), { timeout: 20_000 });
  });

  it("a service without endpoints closes connections", async () => {
    const port = await freePort();
    await services().create({ metadata: { name: "nobody" }, spec: { type: "LoadBalancer", ports: [{ port }] } });
    const ip = await whenServed("nobody");
    const socket = connect(port, ip);
    await closeOf(socket);
  });

  it("clients outside of the source ranges are not served", async () => {
    const port = await freePort();
    await services().create({
      metadata: { name: "narrow" },
      spec: { type: "LoadBalancer", ports: [{ port }], loadBalancerSourceRanges: ["192.0.2.0/24"] },
    });
    const socket = connect(port, await whenServed("narrow"));
    await closeOf(socket);
    expect(socket.bytesRead).toBe(0);
  });

  it("a port that is not even tried is an error in the status and one Warning event, too", async () => {
    const port = await freePort();
    await services().create({
      metadata: { name: "sctp" },
      spec: {
        type: "LoadBalancer",
        ports: [
          { name: "tcp", port },
          { name: "sctp", port, protocol: "SCTP" },
        ],
      },
    });
    await whenServed("sctp");
    expect((await ingressOf("sctp"))?.[0]?.ports).toEqual([
      { port, protocol: "TCP" },
      { port, protocol: "SCTP", error: "ProtocolNotSupported" },
    ]);
    const message = `Warning LoadBalancerPortFailed Cannot serve ${port}/SCTP: only TCP and UDP are relayed`;
    await vi.waitFor(async () => expect(await eventsOf("sctp")).toEqual([message]));
  });

  it.runIf(isLinux)(
    "a port that cannot be bound is an error in the status and a Warning event, and is tried again",
    async () => {
      const taken = createServer().listen(0, "127.131.0.77");
      await once(taken, "listening");
      const { port } = taken.address() as AddressInfo;
      await services().create({
        metadata: { name: "taken" },
        spec: { type: "LoadBalancer", loadBalancerIP: "127.131.0.77", ports: [{ port }] },
      });
      await vi.waitFor(
        async () =>
          expect(await ingressOf("taken")).toEqual([
            { ip: "127.131.0.77", ipMode: "Proxy", ports: [{ port, protocol: "TCP", error: "PortInUse" }] },
          ]),
        { timeout: 20_000 },
      );
      await vi.waitFor(async () =>
        expect(await eventsOf("taken")).toEqual([
          `Warning LoadBalancerPortFailed Cannot listen on 127.131.0.77:${port}/TCP: another program listens there`,
        ]),
      );
      await new Promise((resolve) => taken.close(resolve));
      await services().patch("taken", { merge: { metadata: { labels: { again: "yes" } } } });
      await vi.waitFor(async () => expect((await ingressOf("taken"))?.[0]?.ports?.[0]?.error).toBeUndefined(), {
        timeout: 20_000,
      });
    },
  );

  it("never dials an address of the simulated network by a socket", async () => {
    const port = await freePort();
    await services().create({ metadata: { name: "inside" }, spec: { type: "LoadBalancer", ports: [{ port }] } });
    await cluster.client.discovery.v1.endpointslices("default").create({
      metadata: { name: "inside", labels: { "kubernetes.io/service-name": "inside" } },
      addressType: "IPv4",
      ports: [{ name: "", port: 80, protocol: "TCP" }],
      endpoints: [{ addresses: ["10.244.250.250"] }],
    });
    const ip = await whenServed("inside");
    expect(cluster.server.network.owns("10.244.250.250")).toBe(true);
    const socket = connect(port, ip);
    await closeOf(socket);
  });

  it("drops datagrams to an endpoint that does not answer, and goes on", async () => {
    const port = await freePort();
    await serveElsewhere("udp", port, 53, "UDP");
    const ip = await whenServed("udp");
    const socket = createSocket("udp4");
    closing.push(() => socket.close());
    socket.send("hello", port, ip);
    expect((await ingressOf("udp"))?.[0]?.ports?.[0]?.error).toBeUndefined();
  });
});
