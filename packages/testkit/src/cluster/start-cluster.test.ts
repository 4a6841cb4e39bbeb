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

const external = {
  type: "External",
  external: { metric: { name: "queue" }, target: { type: "Value", value: "1" } },
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

  it("runs a Deployment's pods", async () => {
    const cluster = await start();
    await cluster.client.apps.v1.deployments("default").create(deployment);
    await cluster.clock.advance("5s");
    expect(await pods(cluster)).toEqual(["Running", "Running", "Running"]);
  });

  const gated = [
    { name: "an API server without a gate refuses what needs it", featureGates: [], code: 422 },
    { name: "feature gates reach the API server", featureGates: [["HPAScaleToZero", "true"]], code: undefined },
  ] as const;
  for (const { name, featureGates, code } of gated)
    it(name, async () => {
      const { client } = await start({ nodes: 0, controllers: [], featureGates: new Map(featureGates) });
      const created = client.autoscaling.v2.horizontalpodautoscalers("default").create({
        metadata: { name: "web" },
        spec: {
          scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
          minReplicas: 0,
          maxReplicas: 2,
          metrics: [external],
        },
      });
      expect(
        await created.then(
          () => undefined,
          (error: { status?: { code?: number } }) => error.status?.code,
        ),
      ).toBe(code);
    });

  it("fires a CronJob exactly when it is due", async () => {
    const cluster = await start({ nodes: 0 });
    const { client, clock } = cluster;
    await client.batch.v1.cronjobs("default").create({
      metadata: { name: "later" },
      spec: {
        schedule: "*/5 * * * *",
        jobTemplate: {
          spec: {
            template: {
              spec: { restartPolicy: "Never", containers: [{ name: "c", image: "busybox", command: ["true"] }] },
            },
          },
        },
      },
    });
    await clock.advance("6m");
    const jobs = (await client.batch.v1.jobs("default").list()).items;
    expect(jobs.map(({ metadata }) => metadata?.creationTimestamp)).toEqual(["2026-01-01T00:05:00Z"]);
  });

  it("crashes a program between two writes and starts it again", async () => {
    const cluster = await start({ nodes: 0 });
    cluster.faults.add({ fault: "crash", verb: "create", resource: "configmaps", user: "program:writer", nth: 2 });
    const program = await cluster.run("writer", (client) => {
      const maps = client.core.v1.configmaps("default");
      const writing = (async () => {
        for (const name of ["a", "b"]) await maps.create({ metadata: { name } }).catch(() => {}); // there already, or killed
      })();
      return { stop: () => writing };
    });
    await cluster.settle();
    expect(program.starts).toBe(2);
    const { items } = await cluster.client.core.v1.configmaps("default").list();
    expect(items.map(({ metadata }) => metadata?.name)).toEqual(["a", "b", "kube-root-ca.crt"]);
  });

  it("resolves names as a pod would, from the first write on, also after the server was killed", async () => {
    const cluster = await start({ nodes: 1 });
    const { client } = cluster;
    const labels = { app: "web" };
    await client.core.v1.services("default").create({
      metadata: { name: "web" },
      spec: { clusterIP: "None", selector: labels, ports: [{ name: "http", port: 80 }] },
    });
    expect(await cluster.resolve("web.default")).toEqual([]);
    await client.core.v1
      .pods("default")
      .create({ metadata: { name: "web", labels }, spec: { containers: [{ name: "web", image: "nginx" }] } });
    await cluster.clock.advance("10s");
    const { status } = await client.core.v1.pods("default").get("web");
    expect(await cluster.resolve("web.default")).toEqual([status?.podIP]);
    expect(await cluster.resolve("_http._tcp.web.default", "SRV")).toEqual([
      `0 100 80 ${status?.podIP?.replaceAll(".", "-")}.web.default.svc.cluster.local`,
    ]);
    await cluster.killServer();
    expect(await cluster.resolve("web.default.svc.cluster.local.")).toEqual([status?.podIP]);
    expect(await cluster.resolve("example.com")).toEqual([]);
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

  it("a fork keeps what was taken away before: it does not make the server's own objects anew", async () => {
    const cluster = await start({ nodes: 0, controllers: [], scheduler: false });
    const roles = ({ client }: TestCluster) => client.rbac.v1.clusterroles();
    await roles(cluster).delete("system:node-problem-detector");
    const fork = await cluster.fork();
    clusters.push(fork);
    await expect(roles(fork).get("system:node-problem-detector")).rejects.toThrow("not found");
    await cluster.killServer();
    await expect(roles(cluster).get("system:node-problem-detector")).resolves.toBeDefined();
  });

  it("a fork resumes watches that began in the cluster that it is of", async () => {
    const cluster = await start({ nodes: 0, controllers: [], scheduler: false });
    const maps = (of: TestCluster) => of.client.core.v1.configmaps("default");
    const { metadata } = await maps(cluster).create({ metadata: { name: "a" } });
    await maps(cluster).create({ metadata: { name: "b" } });
    const fork = await cluster.fork();
    clusters.push(fork);
    await maps(fork).create({ metadata: { name: "c" } });
    await maps(cluster).create({ metadata: { name: "d" } });
    const seen: unknown[] = [];
    for await (const batch of await maps(fork).watch({ resourceVersion: metadata?.resourceVersion ?? "" })) {
      for (const event of batch) seen.push("object" in event ? event.object?.metadata?.name : event);
      if (seen.length >= 2) break;
    }
    expect(seen).toEqual(["b", "c"]);
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

  it("passes a week over in which nothing happens: nodes are ready, and their leases fresh", async () => {
    const { client, clock } = await start({ nodes: 2 });
    await clock.advance("7d");
    const leases = (await client.coordination.v1.leases("kube-node-lease").list()).items;
    const ages = leases.map(({ spec }) => clock.now() - Date.parse(spec?.renewTime ?? ""));
    expect(ages.every((age) => age <= 10_000)).toBe(true);
    const nodes = (await client.core.v1.nodes().list()).items;
    const ready = nodes.map(({ status }) => status?.conditions?.find(({ type }) => type === "Ready"));
    expect(ready.map((condition) => condition?.status)).toEqual(["True", "True"]);
    // Never in between, either.
    expect(ready.map((condition) => condition?.lastTransitionTime)).toEqual(Array(2).fill("2026-01-01T00:00:00Z"));
  });

  it("finds a dead node in time, however far the clock is moved", async () => {
    const { client, clock, nodes } = await start({ nodes: 2 });
    await clock.advance("1d");
    await nodes.kill("node-0");
    await clock.advance("1d");
    const { status } = await client.core.v1.nodes().get("node-0");
    const condition = status?.conditions?.find(({ type }) => type === "Ready");
    expect(condition?.status).toBe("Unknown");
    const found = Date.parse(condition?.lastTransitionTime ?? "") - Date.parse("2026-01-02T00:00:00Z");
    expect(found).toBeGreaterThan(30_000);
    expect(found).toBeLessThanOrEqual(60_000);
  });

  it("lets a node die, and time pass, and its pods go elsewhere", async () => {
    const cluster = await start({ nodes: 2 });
    const { client, clock, nodes } = cluster;
    await client.apps.v1.deployments("default").create(deployment);
    await clock.advance("5s");
    await nodes.kill("node-0");
    await clock.advance("10m");
    const dead = await client.core.v1.nodes().get("node-0");
    expect(dead.status?.conditions?.find(({ type }) => type === "Ready")?.status).toBe("Unknown");
    const running = (await client.core.v1.pods("default").list()).items.filter(
      ({ metadata, status }) => !metadata?.deletionTimestamp && status?.phase === "Running",
    );
    expect(running.map(({ spec }) => spec?.nodeName)).toEqual(["node-1", "node-1", "node-1"]);
  });
});
