import type { Node } from "@coxswain/api/core/v1";
import { formatMicroTime, formatTime } from "@coxswain/apimachinery/time";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startTestCluster, type TestCluster } from "../controller/test-cluster.test.support.js";
import { nodeLifecycleController } from "./controller.js";

describe("the node lifecycle controller", () => {
  let cluster: TestCluster;
  beforeEach(async () => {
    cluster = await startTestCluster({ controllers: [nodeLifecycleController] });
  });
  afterEach(() => cluster.stop());
  const nodes = () => cluster.client.core.v1.nodes();
  const report = (name: string, status: "True" | "False" = "True") => {
    const now = formatTime(cluster.clock.now());
    return nodes()
      .subresource<Node>("status")
      .patch(name, {
        merge: { status: { conditions: [{ type: "Ready", status, lastHeartbeatTime: now, lastTransitionTime: now }] } },
      });
  };
  const createNode = async (name: string) => {
    await nodes().create({ metadata: { name, labels: { "kubernetes.io/os": "linux" } } });
    await report(name);
  };
  const renew = async (name: string) => {
    const leases = cluster.client.coordination.v1.leases("kube-node-lease");
    const spec = { holderIdentity: name, leaseDurationSeconds: 40, renewTime: formatMicroTime(cluster.clock.now()) };
    await leases.patch(name, { merge: { spec } }).catch(() => leases.create({ metadata: { name }, spec }));
  };
  const ready = async (name: string) =>
    (await nodes().get(name)).status?.conditions?.find(({ type }) => type === "Ready")?.status;
  const taints = async (name: string) =>
    ((await nodes().get(name)).spec?.taints ?? [])
      .map(({ key, effect }) => `${key.replace("node.kubernetes.io/", "")}:${effect}`)
      .sort();
  const events = async () =>
    (await cluster.client.core.v1.events("default").list()).items.map(({ reason, message }) => `${reason}: ${message}`);
  /** Lets time pass in which only these nodes are alive. */
  const pass = async (seconds: number, ...alive: string[]) => {
    for (let passed = 0; passed < seconds; passed += 10) {
      for (const name of alive) await renew(name);
      await cluster.advance(10_000);
    }
  };

  it("keeps a node that renews its lease, and finds one that does not", async () => {
    await createNode("a");
    await createNode("b");
    await cluster.settle();
    expect((await nodes().get("a")).metadata?.labels).toHaveProperty(["beta.kubernetes.io/os"], "linux");
    expect(await taints("a")).toEqual([]);
    await cluster.client.core.v1.pods("default").create({
      metadata: { name: "p" },
      spec: { nodeName: "b", containers: [{ name: "c", image: "i" }] },
    });
    await cluster.client.core.v1
      .pods("default")
      .subresource("status")
      .patch("p", {
        merge: { status: { phase: "Running", conditions: [{ type: "Ready", status: "True" }] } },
      });
    await pass(120, "a");
    expect([await ready("a"), await ready("b")]).toEqual(["True", "Unknown"]);
    expect(await taints("a")).toEqual([]);
    expect(await taints("b")).toEqual(["unreachable:NoExecute", "unreachable:NoSchedule"]);
    const pod = await cluster.client.core.v1.pods("default").get("p");
    expect(pod.status?.conditions?.find(({ type }) => type === "Ready")?.status).toBe("False");
    expect(await events()).toEqual(
      expect.arrayContaining([
        "RegisteredNode: Node b event: Registered Node b in Controller",
        "NodeNotReady: Node b status is now: NodeNotReady",
        "NodeNotReady: Node is not ready",
      ]),
    );
    await report("b");
    await cluster.settle();
    expect(await taints("b")).toEqual([]);
  });

  it("swaps taints when a silent node reports that it is not ready", async () => {
    await createNode("a");
    await createNode("b");
    await pass(120, "a");
    await report("b", "False");
    await cluster.settle();
    expect(await taints("b")).toEqual(["not-ready:NoExecute", "not-ready:NoSchedule"]);
  });

  it("makes pods leave one node after the other", async () => {
    for (const name of ["a", "b", "c", "d"]) await createNode(name);
    await pass(60, "a", "b");
    const gone = async () =>
      (await Promise.all(["c", "d"].map(taints))).filter((list) => list.includes("unreachable:NoExecute")).length;
    expect(await gone()).toBe(1);
    await pass(20, "a", "b");
    expect(await gone()).toBe(2);
  });

  it("makes no pods leave when every node falls silent, and gives them time to come back", async () => {
    await createNode("a");
    await createNode("b");
    await pass(120);
    expect([await ready("a"), await ready("b")]).toEqual(["Unknown", "Unknown"]);
    expect([await taints("a"), await taints("b")]).toEqual([["unreachable:NoSchedule"], ["unreachable:NoSchedule"]]);
    await report("a");
    await pass(20, "a");
    expect(await taints("a")).toEqual([]);
    expect(await taints("b")).toEqual(["unreachable:NoExecute", "unreachable:NoSchedule"]);
  });

  it("gives a node that never reported a minute, also across a restart", async () => {
    await nodes().create({ metadata: { name: "n" } });
    await cluster.advance(59_000);
    expect(await ready("n")).toBeUndefined();
    await cluster.restart();
    await cluster.advance(2_000);
    expect(await ready("n")).toBe("Unknown");
  });

  it("reports nodes that are removed", async () => {
    await createNode("a");
    await cluster.settle();
    await nodes().delete("a");
    await cluster.settle();
    expect(await events()).toContain("RemovingNode: Node a event: Removing Node a from Controller");
  });
});
