import { once } from "node:events";
import { get } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { systemRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage/memory";
import { expect, it, vi } from "vitest";
import { clusterFeatureGates } from "../cluster-feature-gates.js";
import { startCluster } from "../start-cluster.js";
import { serveGateway } from "./serve-gateway.js";

it("an Ingress without a class leads to a simulated pod, by a name below localhost", { timeout: 120_000 }, async () => {
  const runtime = systemRuntime();
  const store = createMemoryStore({ runtime });
  const cluster = await startCluster({ runtime, featureGates: clusterFeatureGates(), apiServer: { store }, nodes: 1 });
  const { client, server } = cluster;
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  const gateway = await serveGateway(runtime, {
    client,
    network: server.network,
    port,
    addresses: undefined,
    localCertificate: undefined,
    withDefinitions: false,
  });
  try {
    const labels = { app: "web" };
    const container = { name: "web", image: "nginx", ports: [{ containerPort: 80 }] };
    await client.core.v1
      .pods("default")
      .create({ metadata: { name: "web", labels }, spec: { containers: [container] } });
    await client.core.v1
      .services("default")
      .create({ metadata: { name: "web" }, spec: { selector: labels, ports: [{ port: 80 }] } });
    const backend = { service: { name: "web", port: { number: 80 } } };
    await client.networking.v1.ingresses("default").create({
      metadata: { name: "web" },
      spec: { rules: [{ host: "web.localhost", http: { paths: [{ path: "/", pathType: "Prefix", backend }] } }] },
    });
    const body = await vi.waitFor(
      async () => {
        const request = get({ host: "127.0.0.1", port, path: "/x", headers: { Host: "web.localhost" }, agent: false });
        const [response] = await once(request, "response");
        const text: string = (await response.toArray()).join("");
        expect(response.statusCode).toBe(200);
        return text;
      },
      { timeout: 60_000, interval: 50 },
    );
    expect(JSON.parse(body)).toMatchObject({ pod: "web", port: 80, path: "/x" });
  } finally {
    await gateway.stop();
    await cluster.stop();
    await store.close();
  }
});
