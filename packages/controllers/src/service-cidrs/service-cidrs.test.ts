import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startTestCluster, type TestCluster } from "../controller/test-cluster.test.support.js";
import { serviceCidrsController } from "./controller.js";

describe("the service CIDR controller", () => {
  let cluster: TestCluster;
  beforeEach(async () => {
    cluster = await startTestCluster({ controllers: [serviceCidrsController] });
  });
  afterEach(() => cluster.stop());
  const ranges = () => cluster.client.networking.v1.servicecidrs();
  const isThere = (name: string) =>
    ranges()
      .get(name)
      .then(
        () => true,
        () => false,
      );

  it("protects a range while a service has an address from it, also across a restart", async () => {
    await ranges().create({ metadata: { name: "extra" }, spec: { cidrs: ["192.168.7.0/24"] } });
    await cluster.settle();
    const { metadata, status } = await ranges().get("extra");
    expect(metadata?.finalizers).toEqual(["networking.k8s.io/service-cidr-finalizer"]);
    expect(status?.conditions).toEqual([
      expect.objectContaining({ type: "Ready", status: "True", message: "Kubernetes Service CIDR is ready" }),
    ]);
    await cluster.client.core.v1.services("default").create({
      metadata: { name: "s" },
      spec: { clusterIP: "192.168.7.7", ports: [{ port: 80 }] },
    });
    await ranges().delete("extra");
    await cluster.advance(20_000);
    expect((await ranges().get("extra")).status?.conditions).toEqual([
      expect.objectContaining({ type: "Ready", status: "False", reason: "Terminating" }),
    ]);
    await cluster.restart();
    await cluster.client.core.v1.services("default").delete("s");
    await cluster.advance(20_000);
    expect(await isThere("extra")).toBe(false);
  });

  it("releases a range once another one contains it", async () => {
    await ranges().create({ metadata: { name: "small" }, spec: { cidrs: ["192.168.7.0/24"] } });
    await cluster.settle();
    await cluster.client.core.v1.services("default").create({
      metadata: { name: "s" },
      spec: { clusterIP: "192.168.7.7", ports: [{ port: 80 }] },
    });
    await ranges().delete("small");
    await cluster.advance(20_000);
    expect(await isThere("small")).toBe(true);
    await ranges().create({ metadata: { name: "large" }, spec: { cidrs: ["192.168.0.0/16"] } });
    await cluster.advance(20_000);
    expect(await isThere("small")).toBe(false);
  });
});
