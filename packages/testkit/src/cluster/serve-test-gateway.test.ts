import type { Client } from "@coxswain/client";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { TestGateway } from "./serve-test-gateway.js";
import { startCluster } from "./start-cluster.js";
import type { TestCluster } from "./test-cluster.js";

/** A pod behind a Service of its name. */
async function makeBackend(client: Client, name: string, container: object): Promise<void> {
  const labels = { app: name };
  await client.core.v1
    .services("default")
    .create({ metadata: { name }, spec: { selector: labels, ports: [{ port: 80, targetPort: 3000 }] } });
  await client.core.v1.pods("default").create({
    metadata: { name, labels },
    spec: { containers: [{ name, image: "nginx", ports: [{ containerPort: 3000 }], ...container }] },
  });
}

describe("the gateway of a test's cluster", () => {
  let cluster: TestCluster;
  let gateway: TestGateway;
  beforeAll(async () => {
    cluster = await startCluster({ seed: 1, nodes: 1 });
    gateway = await cluster.gateway({ gatewayApi: true });
    const { client } = cluster;
    await makeBackend(client, "web", {});
    await makeBackend(client, "slow", { image: "registry.k8s.io/gateway-api/echo-basic:v1.5.1" });
    await client.networking.v1.ingresses("default").create({
      metadata: { name: "web" },
      spec: { defaultBackend: { service: { name: "web", port: { number: 80 } } } },
    });
    const api = (resource: string) =>
      client.dynamic<object>({ group: "gateway.networking.k8s.io", version: "v1", resource }, "default");
    await api("gateways").create({
      metadata: { name: "edge" },
      spec: { gatewayClassName: "coxswain", listeners: [{ name: "http", port: 8000, protocol: "HTTP" }] },
    } as never);
    await api("httproutes").create({
      metadata: { name: "slow" },
      spec: {
        parentRefs: [{ name: "edge" }],
        rules: [{ backendRefs: [{ name: "slow", port: 80 }], timeouts: { request: "10s" } }],
      },
    } as never);
    await cluster.clock.advance("10s");
  });
  afterAll(() => cluster.stop({ isReported: true }));

  it("leads to its pods by Ingresses", async () => {
    const { code, body } = await gateway.fetch("http://any.test/x");
    expect(code).toBe(200);
    expect(JSON.parse(body.toString())).toMatchObject({ pod: "web", path: "/x" });
  });

  it("leads to them after the server was killed and started again, too", async () => {
    await cluster.killServer();
    await cluster.clock.advance("10s");
    expect(await gateway.fetch("http://any.test/")).toMatchObject({ code: 200 });
  });

  it("leads to them by Gateways and routes", async () => {
    const { code, body } = await gateway.fetch("http://any.test:8000/y", { headers: { "X-One": "1" } });
    expect(code).toBe(200);
    expect(JSON.parse(body.toString())).toMatchObject({
      path: "/y",
      host: "any.test:8000",
      headers: { "X-One": ["1"] },
    });
  });

  it("gives up a request once its time-out has passed in the cluster's time", async () => {
    let code = 0;
    const asked = gateway.fetch("http://any.test:8000/?delay=1h").then((answer) => (code = answer.code));
    // Bytes on sockets are under way in real time: the request may begin after some of the cluster's.
    await vi.waitFor(async () => {
      await cluster.clock.advance("5s");
      expect(code).toBe(504);
    });
    await asked;
  });
});
