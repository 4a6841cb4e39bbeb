import { describe, expect, it } from "vitest";
import { compareSnapshots, describeDifference } from "./compare.js";
import { describeOperation, planChurn } from "./operations.js";
import { unrest } from "./settle.js";
import { type Item, snapshotOf } from "./snapshot.js";

describe("a churn", () => {
  const plan = planChurn({ seed: 7, operations: 200, nodes: 8 });
  it("is the same for the same seed", () =>
    expect(planChurn({ seed: 7, operations: 200, nodes: 8 }).map(describeOperation)).toEqual(
      plan.map(describeOperation),
    ));
  it("is another one for another seed", () =>
    expect(planChurn({ seed: 8, operations: 200, nodes: 8 })).not.toEqual(plan));
  it("does everything that there is to do", () => expect(new Set(plan.map((operation) => operation.do)).size).toBe(11));
  it("deletes with each propagation policy", () =>
    expect(new Set(plan.flatMap((each) => (each.do === "delete" ? [each.propagation] : []))).size).toBe(3));
  it("touches only what is there", () => {
    const there = new Set<string>();
    for (const operation of plan) {
      if (!("workload" in operation)) continue;
      const { kind, name } = operation.workload;
      if (operation.do === "create") there.add(`${kind}/${name}`);
      else expect(there.has(`${kind}/${name}`)).toBe(true);
      if (operation.do === "delete") there.delete(`${kind}/${name}`);
    }
  });
  it("leaves pods to nobody only after the last change of nodes", () => {
    const lastNode = plan.findLastIndex((each) => "node" in each);
    const firstOrphan = plan.findIndex(
      (each) => each.do === "delete" && each.propagation === "orphan" && each.workload.kind !== "deployment",
    );
    expect(firstOrphan).toBeGreaterThan(lastNode);
  });
});

const item = (kind: string, name: string, rest: object = {}, metadata: object = {}): Item => ({
  apiVersion: "v1",
  kind,
  metadata: { name, namespace: "churn", uid: `uid-${name}`, resourceVersion: "1", ...metadata },
  ...rest,
});
const pod = (name: string, image: string, phase = "Running"): Item =>
  item(
    "Pod",
    name,
    {
      spec: { containers: [{ image }], nodeName: "n" },
      status: { phase, conditions: [{ type: "Ready", status: "True" }] },
    },
    { ownerReferences: [{ kind: "ReplicaSet", name: "web", uid: "u", controller: true }] },
  );

describe("the end of a run", () => {
  const rows: { name: string; ours: Item[]; upstream: Item[]; keys: string[] }[] = [
    {
      name: "does not depend on names, nodes and times of pods",
      ours: [pod("web-a", "i")],
      upstream: [pod("web-b", "i")],
      keys: [],
    },
    {
      name: "depends on how many pods there are",
      ours: [pod("a", "i"), pod("b", "i")],
      upstream: [pod("a", "i")],
      keys: ["Pod of ReplicaSet/web"],
    },
    {
      name: "depends on what they are",
      ours: [pod("a", "i")],
      upstream: [pod("a", "j")],
      keys: ["Pod of ReplicaSet/web"],
    },
    {
      name: "depends on conditions, not on their times",
      ours: [
        item("Deployment", "d", {
          status: { conditions: [{ type: "Available", status: "True", lastUpdateTime: "1" }] },
        }),
      ],
      upstream: [
        item("Deployment", "d", {
          status: { conditions: [{ type: "Available", status: "True", lastUpdateTime: "2" }] },
        }),
      ],
      keys: [],
    },
    {
      name: "depends on revisions",
      ours: [item("ReplicaSet", "r", {}, { annotations: { "deployment.kubernetes.io/revision": "2" } })],
      upstream: [item("ReplicaSet", "r", {}, { annotations: { "deployment.kubernetes.io/revision": "3" } })],
      keys: ["ReplicaSet churn/r"],
    },
    {
      name: "depends on owners",
      ours: [item("ReplicaSet", "r", {}, { ownerReferences: [{ kind: "Deployment", name: "d", uid: "x" }] })],
      upstream: [item("ReplicaSet", "r")],
      keys: ["ReplicaSet churn/r"],
    },
    {
      name: "depends on reasons of events, not on how often they came",
      ours: [item("Event", "e", { type: "Normal", reason: "A", involvedObject: { kind: "Job", name: "j" } })],
      upstream: [item("Event", "e", { type: "Normal", reason: "B", involvedObject: { kind: "Job", name: "j" } })],
      keys: ["events of Job /j"],
    },
  ];
  for (const { name, ours, upstream, keys } of rows)
    it(name, () =>
      expect(compareSnapshots(snapshotOf(ours), snapshotOf(upstream)).map(({ key }) => key)).toEqual(keys),
    );
  it("is reported by the members that differ", () => {
    const [difference] = compareSnapshots(
      snapshotOf([item("Job", "j", { spec: { a: 1, b: 1 } })]),
      snapshotOf([item("Job", "j", { spec: { a: 1, b: 2 } })]),
    );
    expect(difference && describeDifference(difference)).toBe("Job churn/j:\n  .spec.b: ours 1, upstream's 2");
  });
});

describe("a cluster at rest", () => {
  const node = item("Node", "n");
  const rows: [name: string, items: Item[], isAtRest: boolean][] = [
    [
      "has what was asked for",
      [node, item("ReplicaSet", "r", { spec: { replicas: 1 }, status: { replicas: 1, readyReplicas: 1 } })],
      true,
    ],
    [
      "lacks no pods",
      [node, item("ReplicaSet", "r", { spec: { replicas: 2 }, status: { replicas: 1, readyReplicas: 1 } })],
      false,
    ],
    ["deletes nothing", [node, item("Pod", "p", {}, { deletionTimestamp: "now" })], false],
    ["has no pods on nodes that are gone", [pod("p", "i")], false],
    [
      "may have paused deployments of two versions",
      [item("Deployment", "d", { spec: { replicas: 1, paused: true }, status: { replicas: 1, availableReplicas: 1 } })],
      true,
    ],
  ];
  for (const [name, items, isAtRest] of rows) it(name, () => expect(unrest(items) === undefined).toBe(isAtRest));
});
