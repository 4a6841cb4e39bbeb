import { afterEach, describe, expect, it } from "vitest";
import { startTestCluster, type TestCluster } from "../controller/test-cluster.test.support.js";
import { nodeIpamController } from "./controller.js";

describe("the node IPAM controller", () => {
  let cluster: TestCluster;
  afterEach(() => cluster.stop());
  const start = async (clusterCidrs: string[], serviceCidrs: string[] = []) => {
    cluster = await startTestCluster({
      controllers: [nodeIpamController],
      settings: { nodeIpam: { clusterCidrs, serviceCidrs } },
    });
  };
  const nodes = () => cluster.client.core.v1.nodes();
  const networks = async (name: string) => (await nodes().get(name)).spec?.podCIDRs;

  it("gives each node a network of each family, also after a restart", async () => {
    await start(["10.0.0.0/22", "fd00::/62"], ["10.0.0.0/24"]);
    await nodes().create({
      metadata: { name: "own" },
      spec: { podCIDR: "10.0.2.0/24", podCIDRs: ["10.0.2.0/24", "fd00:0:0:1::/64"] },
    });
    await cluster.restart();
    await nodes().create({ metadata: { name: "a" } });
    await cluster.settle();
    expect(await networks("a")).toEqual(["10.0.1.0/24", "fd00::/64"]);
    await cluster.restart();
    await nodes().create({ metadata: { name: "b" } });
    await cluster.settle();
    expect(await networks("b")).toEqual(["10.0.3.0/24", "fd00:0:0:2::/64"]);
  });

  it("gives IPv6 first where the cluster has it first, and nothing to a node that is being deleted", async () => {
    await start(["fd00::/62", "10.0.0.0/22"]);
    await nodes().create({ metadata: { name: "a", finalizers: ["example.com/keep"] } });
    await cluster.settle();
    expect(await networks("a")).toEqual(["fd00::/64", "10.0.0.0/24"]);
    cluster.limitWrites(0);
    await nodes().create({ metadata: { name: "b", finalizers: ["example.com/keep"] } });
    await nodes().delete("b");
    await cluster.restart();
    await cluster.settle();
    expect(await networks("b")).toBeUndefined();
  });

  it("leaves out what nodes have from elsewhere, and what services have", async () => {
    await start(["10.0.0.0/22"], ["10.0.1.0/24"]);
    await nodes().create({ metadata: { name: "stray" }, spec: { podCIDR: "10.9.0.0/24", podCIDRs: ["10.9.0.0/24"] } });
    await nodes().create({ metadata: { name: "own" }, spec: { podCIDR: "10.0.2.0/24", podCIDRs: ["10.0.2.0/24"] } });
    await cluster.settle();
    for (const name of ["a", "b"]) {
      await nodes().create({ metadata: { name } });
      await cluster.settle();
    }
    expect([await networks("a"), await networks("b")]).toEqual([["10.0.0.0/24"], ["10.0.3.0/24"]]);
  });

  it("reports when there are none left, and gives those of deleted nodes again", async () => {
    await start(["10.0.0.0/24"]);
    await nodes().create({ metadata: { name: "a" } });
    await cluster.settle();
    await nodes().create({ metadata: { name: "b" } });
    await cluster.settle();
    expect(await networks("b")).toBeUndefined();
    const reasons = (await cluster.client.core.v1.events("default").list()).items.map(
      ({ reason, message }) => `${reason}: ${message}`,
    );
    expect(reasons).toContain("CIDRNotAvailable: Node b status is now: CIDRNotAvailable");
    await nodes().delete("a");
    await cluster.advance(10_000);
    expect(await networks("b")).toEqual(["10.0.0.0/24"]);
  });
});
