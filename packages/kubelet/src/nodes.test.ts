import { afterEach, describe, expect, it } from "vitest";
import { startNodes } from "./start-nodes.js";
import { startTestNodes, type TestNodes } from "./test-nodes.test.support.js";

let cluster: TestNodes | undefined;
afterEach(async () => {
  await cluster?.stop();
  cluster = undefined;
});

const renewals = async ({ client }: TestNodes): Promise<Record<string, string>> => {
  const { items } = await client.coordination.v1.leases("kube-node-lease").list();
  return Object.fromEntries(items.map(({ metadata, spec }) => [metadata?.name ?? "", String(spec?.renewTime)]));
};

describe("simulated nodes", () => {
  it("register with capacity, addresses, conditions and a lease", async () => {
    cluster = await startTestNodes({ nodes: [{ name: "big", labels: { zone: "a" }, capacity: { cpu: "64" } }] });
    const node = await cluster.client.core.v1.nodes().get("big");
    expect(node.metadata?.labels).toMatchObject({
      "kubernetes.io/hostname": "big",
      "kubernetes.io/os": "linux",
      zone: "a",
    });
    expect(node.status).toMatchObject({
      capacity: { cpu: "64", memory: "256Gi", pods: "110" },
      allocatable: { cpu: "64" },
      addresses: [
        { type: "InternalIP", address: "172.18.0.2" },
        { type: "Hostname", address: "big" },
      ],
      nodeInfo: { kubeletVersion: "v1.36.4", operatingSystem: "linux" },
    });
    expect(node.status?.conditions?.map(({ type, status }) => `${type}=${status}`)).toEqual([
      "MemoryPressure=False",
      "DiskPressure=False",
      "PIDPressure=False",
      "Ready=True",
    ]);
    const lease = await cluster.client.coordination.v1.leases("kube-node-lease").get("big");
    expect(lease.spec).toMatchObject({ holderIdentity: "big", leaseDurationSeconds: 40 });
    expect(lease.metadata?.ownerReferences).toMatchObject([{ kind: "Node", name: "big", uid: node.metadata?.uid }]);
  });

  it("renew their leases every ten seconds and write their status every five minutes", async () => {
    cluster = await startTestNodes({ nodes: 3 });
    await cluster.advance(30_000);
    const now = cluster.clock.now();
    for (const at of Object.values(await renewals(cluster))) expect(now - Date.parse(at)).toBeLessThanOrEqual(10_000);
    const versionOf = async (): Promise<string | undefined> =>
      (await cluster?.client.core.v1.nodes().get("node-1"))?.metadata?.resourceVersion;
    const before = await versionOf();
    await cluster.advance(4 * 60_000);
    expect(await versionOf()).toBe(before);
    await cluster.advance(60_000);
    expect(await versionOf()).not.toBe(before);
  });

  it("a node that is cut off renews nothing; its pods go on and are reported when it is back", async () => {
    cluster = await startTestNodes({ nodes: 2 });
    await cluster.createPod("task", {
      restartPolicy: "Never",
      containers: [{ name: "main", image: "a", command: ["sleep", "5"] }],
    });
    await cluster.settle();
    cluster.nodes.partition("node-0");
    await cluster.advance(20_000);
    const leases = await renewals(cluster);
    expect(cluster.clock.now() - Date.parse(leases["node-0"] ?? "")).toBeGreaterThan(10_000);
    expect((await cluster.pod("task")).status?.phase).toBe("Running");
    await cluster.nodes.recover("node-0");
    await cluster.settle();
    expect((await cluster.pod("task")).status?.phase).toBe("Succeeded");
  });

  it("machines are turned off, cut off and on again by an annotation of their Nodes, also before the process starts", async () => {
    cluster = await startTestNodes({ nodes: 2 });
    const { client, clock, runtime } = cluster;
    const machine = (state: string | null): Promise<unknown> =>
      client.core.v1.nodes().patch("node-0", {
        merge: { metadata: { annotations: { "simulation.coxswain.dev/machine": state } } } as never,
      });
    await cluster.createPod("web");
    await cluster.settle();
    await machine("unreachable");
    await cluster.advance(30_000);
    const silence = async (): Promise<number> =>
      clock.now() - Date.parse((await renewals(cluster as TestNodes))["node-0"] ?? "");
    expect(await silence()).toBeGreaterThan(20_000);
    await machine(null);
    await cluster.advance(1000);
    expect(await silence()).toBeLessThan(10_000);
    expect((await cluster.pod("web")).status?.containerStatuses).toMatchObject([{ restartCount: 0, ready: true }]);
    await machine("off");
    await cluster.advance(30_000);
    await cluster.nodes.stop();
    const again = startNodes({ client, nodes: 2, runtime });
    await again.ready;
    await clock.advance(20_000);
    expect(await silence()).toBeGreaterThan(40_000);
    await machine(null);
    await clock.advance(20_000);
    expect(await silence()).toBeLessThan(11_000);
    expect((await cluster.pod("web")).status?.containerStatuses).toMatchObject([{ restartCount: 1, ready: true }]);
    await again.stop();
  });

  it("a node that lost power starts its pods again", async () => {
    cluster = await startTestNodes();
    await cluster.createPod("web");
    await cluster.settle();
    await cluster.nodes.kill("node-0");
    await cluster.advance(60_000);
    await cluster.nodes.recover("node-0");
    await cluster.settle();
    const { status } = await cluster.pod("web");
    expect(status?.phase).toBe("Running");
    expect(status?.containerStatuses).toMatchObject([{ restartCount: 1, ready: true }]);
  });

  it("come and go while others run", async () => {
    cluster = await startTestNodes();
    await cluster.nodes.add({ name: "late" });
    expect((await cluster.client.core.v1.nodes().list()).items.map(({ metadata }) => metadata?.name)).toEqual([
      "late",
      "node-0",
    ]);
    await cluster.nodes.remove("late");
    expect(cluster.nodes.names).toEqual(["node-0"]);
    await expect(cluster.nodes.recover("late")).rejects.toThrow("there is no simulated node late");
  });
});
