import { describe, expect, it } from "vitest";
import { planChurn } from "../operations.js";
import type { Item } from "../snapshot.js";
import { currentState } from "./current-state.js";
import { leaks } from "./leaks.js";
import { specsOf } from "./specs-of.js";
import { unfinishedWork } from "./unfinished-work.js";

const item = (kind: string, name: string, rest: object = {}, metadata: object = {}): Item => ({
  apiVersion: "v1",
  kind,
  metadata: { name, namespace: "churn", uid: `uid-${name}`, resourceVersion: "1", ...metadata },
  ...rest,
});
const owned = (by: string) => ({ ownerReferences: [{ kind: "Deployment", name: by, uid: `uid-${by}` }] });

describe("what is left over", () => {
  const service = item("Service", "web");
  const rows: { name: string; items: Item[]; found: string[] }[] = [
    {
      name: "nothing, where owners are there",
      items: [item("Deployment", "d"), item("ReplicaSet", "r", {}, owned("d"))],
      found: [],
    },
    {
      name: "an object whose owner is gone",
      items: [item("ReplicaSet", "r", {}, owned("d"))],
      found: ["ReplicaSet churn/r belongs to Deployment d, which is gone"],
    },
    {
      name: "endpoints without their service",
      items: [service, item("Endpoints", "web"), item("Endpoints", "old")],
      found: ["Endpoints churn/old is there without Service churn/old"],
    },
    {
      name: "the address of a service that is gone",
      items: [
        service,
        item(
          "IPAddress",
          "10.96.0.7",
          { spec: { parentRef: { namespace: "churn", name: "old" } } },
          { namespace: undefined },
        ),
      ],
      found: ["IPAddress /10.96.0.7 is there without Service churn/old"],
    },
    {
      name: "the lease of a node that is gone",
      items: [
        item("Lease", "n", {}, { namespace: "kube-node-lease" }),
        item("Lease", "l", {}, { namespace: "kube-system" }),
      ],
      found: ["Lease kube-node-lease/n is there without Node /n"],
    },
    {
      name: "more old versions than the limit",
      items: [
        item("Deployment", "d"),
        ...Array.from({ length: 12 }, (_, i) => item("ReplicaSet", `r${i}`, {}, owned("d"))),
      ],
      found: ["12 versions of the owner with uid uid-d are kept"],
    },
  ];
  for (const { name, items, found } of rows) it(name, () => expect(leaks(items)).toEqual(found));

  it("queues that are not empty", () =>
    expect(
      unfinishedWork(
        'workqueue_depth{name="job"} 0\nworkqueue_depth{name="deployment"} 2\nscheduler_pending_pods{queue="gated"} 1\nworkqueue_adds_total 7',
      ),
    ).toEqual(['workqueue_depth{name="deployment"} 2', 'scheduler_pending_pods{queue="gated"} 1']));
});

describe("what is there now", () => {
  const rows: { name: string; items: Item[]; kinds: string[] }[] = [
    {
      name: "is without events and revisions",
      items: [item("Event", "e"), item("ControllerRevision", "c"), item("Pod", "p")],
      kinds: ["Pod"],
    },
    {
      name: "is without versions that a Deployment keeps",
      items: [
        item("ReplicaSet", "r", { spec: { replicas: 0 } }, owned("d")),
        item("ReplicaSet", "s", { spec: { replicas: 0 } }),
      ],
      kinds: ["ReplicaSet"],
    },
  ];
  for (const { name, items, kinds } of rows)
    it(name, () => expect(currentState(items).map(({ kind }) => kind)).toEqual(kinds));

  it("does not depend on how often a template changed", () => {
    const deployment = (revision: string) =>
      item(
        "Deployment",
        "d",
        { status: { collisionCount: 1, replicas: 2 } },
        { annotations: { "deployment.kubernetes.io/revision": revision } },
      );
    expect(currentState([deployment("2")])).toEqual(currentState([deployment("5")]));
    expect(currentState([deployment("2")])[0]?.["status"]).toEqual({ replicas: 2 });
  });
});

describe("specs for a new cluster", () => {
  it("are those that no controller owns, volumes first, without what the cluster decided", () =>
    expect(
      specsOf([
        item("Service", "web", { spec: { clusterIP: "10.96.0.3", ports: [{ port: 80 }] } }),
        item("ReplicaSet", "r", { spec: {} }, owned("d")),
        item("Pod", "left", { spec: { nodeName: "node-1", containers: [] } }),
        item("ConfigMap", "kube-root-ca.crt"),
        item("PersistentVolume", "v", { spec: { claimRef: { name: "c" }, capacity: {} } }, { namespace: undefined }),
      ]).map((each) => JSON.stringify(each)),
    ).toEqual([
      '{"apiVersion":"v1","kind":"PersistentVolume","metadata":{"name":"v","annotations":{}},"spec":{"capacity":{}}}',
      '{"apiVersion":"v1","kind":"Service","metadata":{"name":"web","namespace":"churn","labels":{},"annotations":{}},"spec":{"ports":[{"port":80}]}}',
      '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"left","namespace":"churn","labels":{},"annotations":{}},"spec":{"containers":[]}}',
    ]));

  it("a service without an address stays one", () =>
    expect(specsOf([item("Service", "db", { spec: { clusterIP: "None" } })])).toMatchObject([
      { spec: { clusterIP: "None" } },
    ]));
});

describe("churn with restarts", () => {
  const plan = planChurn({ seed: 3, operations: 200, nodes: 8, restarts: true });
  it("restarts, and adds no nodes", () => {
    const done = new Set(plan.map((each) => each.do));
    expect([done.has("restart"), done.has("killNode"), done.has("addNode")]).toEqual([true, true, false]);
  });
  it("leaves nothing paused", () => {
    const paused = new Set<string>();
    for (const each of plan) {
      if (each.do === "pause") paused.add(each.workload.name);
      if (each.do === "resume" || each.do === "delete") paused.delete(each.workload.name);
    }
    expect([...paused]).toEqual([]);
  });
  it("restarts after the last change of nodes, so that all are there in the end", () =>
    expect(plan.findLastIndex(({ do: what }) => what === "restart")).toBeGreaterThan(
      plan.findLastIndex((each) => "node" in each),
    ));
});
