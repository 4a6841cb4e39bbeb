import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "vitest";
import { node, pod, startTestCluster, type TestCluster } from "./test-cluster.test.support.js";

describe("startScheduler", () => {
  let cluster: TestCluster;
  beforeEach(async () => {
    cluster = await startTestCluster();
  });
  afterEach(() => cluster.stop());

  const pods = () => cluster.client.core.v1.pods("default");
  const settle = () => cluster.clock.settle();
  const conditionOf = async (name: string) =>
    (await pods().get(name)).status?.conditions?.find(({ type }) => type === "PodScheduled");

  it("binds a pod to the node that has room, and records it", async () => {
    await cluster.addNode(node("small", { status: { allocatable: { cpu: "1", memory: "1Gi", pods: "10" } } }));
    await cluster.addNode(node("large"));
    await pods().create(pod("web", "2"));
    await settle();
    const bound = await pods().get("web");
    assert.equal(bound.spec?.nodeName, "large");
    assert.equal((await conditionOf("web"))?.status, "True");
    const { items } = await cluster.client.events.v1.events("default").list();
    assert.deepEqual(
      items.map(({ reason, note, action, type, reportingController }) => ({
        reason,
        note,
        action,
        type,
        reportingController,
      })),
      [
        {
          reason: "Scheduled",
          note: "Successfully assigned default/web to large",
          action: "Binding",
          type: "Normal",
          reportingController: "default-scheduler",
        },
      ],
    );
  });

  it("reports why a pod fits nowhere, and schedules it once a node comes", async () => {
    await cluster.addNode(node("a"));
    await cluster.addNode(node("b", { spec: { taints: [{ key: "only", value: "others", effect: "NoSchedule" }] } }));
    await pods().create(pod("big", "6"));
    await settle();
    const condition = await conditionOf("big");
    assert.equal(condition?.reason, "Unschedulable");
    assert.equal(
      condition?.message,
      "0/2 nodes are available: 1 Insufficient cpu, 1 node(s) had untolerated taint(s). no new claims to deallocate, preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.",
    );
    await cluster.addNode(node("c", { status: { allocatable: { cpu: "8", memory: "8Gi", pods: "10" } } }));
    await settle();
    assert.equal((await pods().get("big")).spec?.nodeName, "c");
  });

  it("keeps a gated pod out until its last gate is gone", async () => {
    await cluster.addNode(node("a"));
    await pods().create(pod("gated", "1", { spec: { schedulingGates: [{ name: "example.com/wait" }] } }));
    await settle();
    assert.equal((await pods().get("gated")).spec?.nodeName, undefined);
    await pods().patch("gated", { json: [{ op: "remove", path: "/spec/schedulingGates" }] });
    await settle();
    assert.equal((await pods().get("gated")).spec?.nodeName, "a");
  });

  it("removes pods of lower priority for one of higher priority, which is nominated meanwhile", async () => {
    await cluster.addNode(node("a"));
    await cluster.client.scheduling.v1.priorityclasses().create({ metadata: { name: "high" }, value: 1000 });
    await pods().create(pod("low", "3", { spec: { terminationGracePeriodSeconds: 30 } }));
    await settle();
    await pods().create(pod("high", "3", { spec: { priorityClassName: "high" } }));
    await settle();
    assert.equal((await pods().get("high")).status?.nominatedNodeName, "a");
    const low = await pods().get("low");
    assert.notEqual(low.metadata?.deletionTimestamp, undefined);
    const target = low.status?.conditions?.find(({ type }) => type === "DisruptionTarget");
    assert.equal(target?.message, "default-scheduler: preempting to accommodate a higher priority pod");
    await pods().delete("low", { gracePeriodSeconds: 0 });
    await settle();
    const high = await pods().get("high");
    assert.equal(high.spec?.nodeName, "a");
  });

  it("schedules pods that came before any node", async () => {
    await pods().create(pod("early", "1"));
    await settle();
    assert.equal((await conditionOf("early"))?.message, "no nodes available to schedule pods");
    await cluster.addNode(node("a"));
    await cluster.clock.advance(2000);
    assert.equal((await pods().get("early")).spec?.nodeName, "a");
  });
});
