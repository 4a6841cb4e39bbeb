import type { DaemonSet } from "@coxswain/api/apps/v1";
import type { Node, Taint } from "@coxswain/api/core/v1";
import { describe, expect, it } from "vitest";
import { type TestPod, testPod } from "../pods/pods.test.support.js";
import { daemonTemplate, fitsNode, targetNode } from "./daemon-pod.js";
import { byNode, type DaemonSetState, planNodes, planStatus } from "./plan.js";
import { planUpdate } from "./plan-update.js";

const now = Date.UTC(2026, 0, 1);
const long = now - 3_600_000;
type Spec = Partial<NonNullable<DaemonSet["spec"]>>;
const daemonSet = (spec: Spec = {}): DaemonSet => ({
  metadata: { name: "agent", namespace: "default", uid: "d", generation: 1 },
  spec: {
    selector: { matchLabels: { app: "agent" } },
    template: { metadata: { labels: { app: "agent" } }, spec: { containers: [{ name: "c", image: "i" }] } },
    updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } },
    ...spec,
  },
});
const surge = { updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } } as Spec;
const node = (name: string, taints: Taint[] = []): Node => ({ metadata: { name }, spec: { taints } });
/** Ready since long, of the new template unless it is old. */
const pod = (on: string, given: TestPod & { old?: boolean } = {}) =>
  testPod({
    name: `${on}-${given.old ? "old" : "new"}`,
    node: on,
    readySince: long,
    createdAt: long,
    labels: { "controller-revision-hash": given.old ? "h1" : "h2" },
    ...given,
  });
const notReady = (on: string, old = false) => {
  const ready = pod(on, { old });
  return { ...ready, status: { phase: "Running" as const } };
};
const stateOf = (set: DaemonSet, nodes: Node[], pods: ReturnType<typeof pod>[]): DaemonSetState => ({
  daemonSet: set,
  nodes,
  podsByNode: byNode(pods),
  fits: (each) => fitsNode(set, each, { comparison: true }),
  hash: "h2",
  now,
});
const shown = ({
  create,
  remove,
}: {
  create: readonly string[];
  remove: readonly { metadata?: { name?: string } }[];
}) => ({
  create: [...create],
  remove: remove.map(({ metadata }) => metadata?.name),
});
const taint = (effect: Taint["effect"], key = "dedicated"): Taint => ({ key, effect });

describe("which nodes get a pod and which pods go", () => {
  const rows: {
    name: string;
    spec?: Spec;
    nodes: Node[];
    pods: ReturnType<typeof pod>[];
    create?: string[];
    remove?: string[];
  }[] = [
    { name: "nodes without a pod get one", nodes: [node("a"), node("b")], pods: [pod("a")], create: ["b"] },
    { name: "a node with a taint gets none", nodes: [node("a", [taint("NoSchedule")])], pods: [] },
    {
      name: "a pod stays where a new one could not be placed",
      nodes: [node("a", [taint("NoSchedule")])],
      pods: [pod("a")],
    },
    {
      name: "a pod goes from where nothing may run",
      nodes: [node("a", [taint("NoExecute")])],
      pods: [pod("a")],
      remove: ["a-new"],
    },
    {
      name: "a node that is not ready or cordoned gets one",
      nodes: [
        node("a", [
          taint("NoExecute", "node.kubernetes.io/not-ready"),
          taint("NoSchedule", "node.kubernetes.io/unschedulable"),
        ]),
      ],
      pods: [],
      create: ["a"],
    },
    {
      name: "a pod that failed is deleted",
      nodes: [node("a")],
      pods: [pod("a", { phase: "Failed" })],
      remove: ["a-new"],
    },
    {
      name: "a pod that ended is deleted",
      nodes: [node("a")],
      pods: [pod("a", { phase: "Succeeded" })],
      remove: ["a-new"],
    },
    {
      name: "of two pods the older stays",
      nodes: [node("a")],
      pods: [pod("a", { createdAt: now }), pod("a", { old: true })],
      remove: ["a-new"],
    },
    { name: "a pod that is being deleted is waited for", nodes: [node("a")], pods: [pod("a", { deletedAt: now })] },
    {
      name: "with surge it is not",
      spec: surge,
      nodes: [node("a")],
      pods: [pod("a", { deletedAt: now })],
      create: ["a"],
    },
    {
      name: "with surge an old pod goes when the new one is available",
      spec: surge,
      nodes: [node("a")],
      pods: [pod("a"), pod("a", { old: true })],
      remove: ["a-old"],
    },
    {
      name: "with surge an old pod stays until then",
      spec: surge,
      nodes: [node("a")],
      pods: [notReady("a"), pod("a", { old: true })],
    },
    {
      name: "nodes that the selector leaves out get none",
      spec: {
        template: { metadata: { labels: { app: "agent" } }, spec: { containers: [], nodeSelector: { disk: "ssd" } } },
      },
      nodes: [node("a")],
      pods: [pod("a")],
      remove: ["a-new"],
    },
  ];
  for (const { name, spec, nodes, pods, create = [], remove = [] } of rows)
    it(name, () =>
      expect(shown(planNodes(stateOf(daemonSet(spec), nodes, pods), () => true))).toEqual({ create, remove }),
    );
  it("a failed pod stays while its node is in back-off", () =>
    expect(
      shown(planNodes(stateOf(daemonSet(), [node("a")], [pod("a", { phase: "Failed" })]), () => false)).remove,
    ).toEqual([]));
  it("a pod that waits for a node that is gone goes", () => {
    const template = daemonTemplate(daemonSet(), "h2", "gone");
    const waiting = { metadata: { name: "w" }, spec: template.spec!, status: { phase: "Pending" as const } };
    expect(targetNode(waiting)).toBe("gone");
    expect(shown(planNodes(stateOf(daemonSet(), [], [waiting]), () => true)).remove).toEqual(["w"]);
  });
});

describe("the next step of a rolling update", () => {
  const three = [node("a"), node("b"), node("c")];
  const old = (on: string) => pod(on, { old: true });
  const rows: { name: string; spec?: Spec; pods: ReturnType<typeof pod>[]; create?: string[]; remove?: string[] }[] = [
    { name: "as many as may be unavailable", pods: [old("a"), old("b"), old("c")], remove: ["a-old"] },
    { name: "none while a new pod is not available", pods: [notReady("a"), old("b"), old("c")] },
    { name: "none while a node has no pod", pods: [old("b"), old("c")] },
    {
      name: "old pods that are not available, whatever the limit",
      pods: [notReady("a", true), notReady("b", true), old("c")],
      remove: ["a-old", "b-old"],
    },
    { name: "nothing when all are new", pods: [pod("a"), pod("b"), pod("c")] },
    { name: "with surge a second pod on one node", spec: surge, pods: [old("a"), old("b"), old("c")], create: ["a"] },
    {
      name: "with surge no other while the first is not available",
      spec: surge,
      pods: [old("a"), notReady("a"), old("b"), old("c")],
    },
    {
      name: "with surge the old pod goes when the new one is available",
      spec: surge,
      pods: [old("a"), pod("a"), old("b"), old("c")],
      create: ["b"],
      remove: ["a-old"],
    },
    {
      name: "with surge old pods that are not available are replaced at once",
      spec: surge,
      pods: [notReady("a", true), notReady("b", true), pod("c")],
      create: ["a", "b"],
    },
  ];
  for (const { name, spec, pods, create = [], remove = [] } of rows)
    it(name, () => expect(shown(planUpdate(stateOf(daemonSet(spec), three, pods)))).toEqual({ create, remove }));
});

describe("the status of a DaemonSet", () => {
  const state = stateOf(
    daemonSet(),
    [node("a"), node("b"), node("c"), node("d", [taint("NoSchedule")])],
    [pod("a"), pod("b", { old: true }), pod("d")],
  );
  it("counts nodes by what is on them", () =>
    expect(planStatus(state, true)).toEqual({
      desiredNumberScheduled: 3,
      currentNumberScheduled: 2,
      numberMisscheduled: 1,
      numberReady: 2,
      updatedNumberScheduled: 1,
      numberAvailable: 2,
      numberUnavailable: 1,
      observedGeneration: 1,
    }));
  it("is not written where nothing changes", () => {
    const status = planStatus(state, true)!;
    expect(planStatus({ ...state, daemonSet: { ...state.daemonSet, status } }, true)).toBeUndefined();
  });
});
