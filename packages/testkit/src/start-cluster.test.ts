import { isConflict } from "@coxswain/apimachinery/status";
import { afterEach, describe, expect, it } from "vitest";
import { startCluster } from "./start-cluster.js";
import type { TestCluster } from "./test-cluster.js";

const labels = { app: "web" };
const deployment = {
  metadata: { name: "web" },
  spec: {
    replicas: 3,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: "web", image: "nginx" }] } },
  },
};

describe("a cluster inside a test", () => {
  const clusters: TestCluster[] = [];
  const start = async (options: Parameters<typeof startCluster>[0] = {}): Promise<TestCluster> => {
    const cluster = await startCluster({ seed: 1, ...options });
    clusters.push(cluster);
    return cluster;
  };
  afterEach(async () => {
    await Promise.all(clusters.splice(0).map((cluster) => cluster.stop()));
  });
  const pods = async ({ client }: TestCluster): Promise<string[]> =>
    (await client.core.v1.pods("default").list()).items.map(({ status }) => status?.phase ?? "").sort();

  it("creates a Deployment's pods", async () => {
    const cluster = await start();
    await cluster.client.apps.v1.deployments("default").create(deployment);
    await cluster.settle();
    expect(await pods(cluster)).toHaveLength(3);
  });

  it("forks: each copy goes its own way", async () => {
    const cluster = await start();
    await cluster.client.core.v1.configmaps("default").create({ metadata: { name: "both" } });
    const fork = await cluster.fork();
    clusters.push(fork);
    await fork.client.core.v1.configmaps("default").create({ metadata: { name: "fork" } });
    const names = async (of: TestCluster): Promise<(string | undefined)[]> =>
      (await of.client.core.v1.configmaps("default").list()).items.map(({ metadata }) => metadata?.name);
    expect(await names(cluster)).toEqual(["both", "kube-root-ca.crt"]);
    expect(await names(fork)).toEqual(["both", "fork", "kube-root-ca.crt"]);
  });

  it("restores a snapshot in place", async () => {
    const cluster = await start();
    const { client } = cluster;
    const before = await cluster.snapshot();
    await client.core.v1.configmaps("default").create({ metadata: { name: "later" } });
    await cluster.restore(before);
    await expect(client.core.v1.configmaps("default").get("later")).rejects.toThrow("not found");
  });

  it("injects faults by rule", async () => {
    const cluster = await start();
    const { client, faults } = cluster;
    faults.add({ fault: "conflict", verb: "create", resource: "configmaps", nth: 2 });
    await client.core.v1.configmaps("default").create({ metadata: { name: "one" } });
    const second = client.core.v1.configmaps("default").create({ metadata: { name: "two" } });
    await expect(second).rejects.toSatisfy(isConflict);
    await client.core.v1.configmaps("default").create({ metadata: { name: "two" } });
    expect(faults.injected).toBe(1);
  });

  it("lets a node die, and time pass, and its pods go elsewhere", async () => {
    const cluster = await start();
    const { client, clock, nodes } = cluster;
    await nodes.kill(nodes.names[0] ?? "");
    await clock.advance("2m");
    const dead = await client.core.v1.nodes().get(nodes.names[0] ?? "");
    expect(dead.status?.conditions?.find(({ type }) => type === "Ready")?.status).toBe("Unknown");
  });
});
