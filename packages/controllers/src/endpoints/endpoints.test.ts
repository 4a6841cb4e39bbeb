import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startTestCluster, type TestCluster } from "../controller/test-cluster.test.support.js";
import { createServedPods } from "../service-endpoints/service-endpoints.test.support.js";
import { endpointsController } from "./controller.js";

describe("the endpoints controller", () => {
  let cluster: TestCluster;
  beforeEach(async () => {
    cluster = await startTestCluster({ controllers: [endpointsController] });
  });
  afterEach(() => cluster.stop());
  const endpoints = () => cluster.client.core.v1.endpoints("default");
  const addresses = async (name = "web") =>
    (await endpoints().get(name)).subsets?.flatMap((subset) => (subset.addresses ?? []).map(({ ip }) => ip));
  const names = async () => (await endpoints().list()).items.map(({ metadata }) => metadata?.name);
  const createService = () =>
    cluster.client.core.v1.services("default").create({
      metadata: { name: "web" },
      spec: { selector: { app: "web" }, ports: [{ port: 80, targetPort: 8080 }] },
    });

  it("follows pods, and goes with the service", async () => {
    await createService();
    await cluster.settle();
    expect(await addresses()).toBeUndefined();
    await createServedPods(cluster.client, [
      { name: "a", ips: ["10.0.0.1"] },
      { name: "b", ips: ["10.0.0.2"] },
    ]);
    await cluster.advance(1_000);
    expect(await addresses()).toEqual(["10.0.0.1", "10.0.0.2"]);
    await cluster.client.core.v1.pods("default").patch("a", { merge: { metadata: { labels: { app: "other" } } } });
    await cluster.advance(1_000);
    expect(await addresses()).toEqual(["10.0.0.2"]);
    await cluster.client.core.v1.services("default").delete("web");
    await cluster.advance(1_000);
    expect(await names()).not.toContain("web");
  });

  it("creates Endpoints once when the service and its pods change before its cache has them", async () => {
    await createService();
    const services = cluster.client.core.v1.services("default");
    for (const at of ["1", "2", "3"]) await services.patch("web", { merge: { metadata: { labels: { at } } } });
    await createServedPods(cluster.client, [{ name: "a", ips: ["10.0.0.1"] }]);
    await cluster.advance(1_000);
    const { items } = await cluster.client.core.v1.events("default").list();
    expect(items.map(({ reason, message }) => `${reason}: ${message}`)).toEqual([]);
    expect(await addresses()).toEqual(["10.0.0.1"]);
    expect((await endpoints().get("web")).metadata?.labels).toMatchObject({ at: "3" });
  });

  it("makes Endpoints anew that somebody deletes", async () => {
    await createService();
    await cluster.settle();
    await endpoints().delete("web");
    await cluster.settle();
    expect(await names()).toContain("web");
  });

  it("deletes at its start what services left behind, but not what others keep there", async () => {
    await endpoints().create({ metadata: { name: "left" } });
    await endpoints().create({
      metadata: { name: "leader", annotations: { "control-plane.alpha.kubernetes.io/leader": "{}" } },
    });
    await cluster.client.core.v1
      .services("default")
      .create({ metadata: { name: "own" }, spec: { ports: [{ port: 80 }] } });
    await endpoints().create({ metadata: { name: "own" } });
    await cluster.restart();
    await cluster.settle();
    const left = await names();
    expect(left).not.toContain("left");
    expect(left).toEqual(expect.arrayContaining(["leader", "own"]));
  });
});
