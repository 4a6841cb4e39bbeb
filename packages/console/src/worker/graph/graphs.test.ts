import { describe, expect, it } from "vitest";
import type { Graph } from "../../contract/graph.js";
import type { KubernetesValue, TimelineEntry } from "../../contract/messages.js";
import { type CausedChange, causeGraph } from "./cause-graph.js";
import { type PlacedObject, topologyOf } from "./topology.js";

/** `a > b` for each edge, by titles. */
const edgesOf = ({ nodes, edges }: Graph): string[] => {
  const titles = new Map(nodes.map(({ id, title }) => [id, title]));
  return edges.map(({ from, to }) => `${titles.get(from)} > ${titles.get(to)}`).sort();
};

const change = (revision: number, kind: string, name: string, causes: readonly number[] = []): CausedChange => ({
  entry: {
    at: 0,
    source: "change",
    kind,
    ref: undefined,
    name: `default/${name}`,
    who: "ann",
    what: "Created",
    tone: "none",
    revision: String(revision),
  } satisfies TimelineEntry,
  revision,
  uid: name,
  reason: "",
  causes:
    causes.length === 0
      ? []
      : [{ revisions: causes, component: "c", queue: "q", item: "default/x", certainty: "exact" }],
});

describe("the graph of causes", () => {
  const rollout = [
    change(1, "Deployment", "web"),
    change(2, "ReplicaSet", "web-1", [1]),
    ...Array.from({ length: 9 }, (_, at) => change(3 + at, "Pod", `pod-${at}`, [2])),
    change(20, "ConfigMap", "other"),
  ];

  it("of a pod: what led to it, and nothing else", () =>
    expect(edgesOf(causeGraph(rollout, 5))).toEqual(["web > web-1", "web-1 > pod-2"]));

  it("of a deployment: its effects, the fifth of a sort and later ones as a number", () =>
    expect(edgesOf(causeGraph(rollout, 1))).toEqual([
      "web > web-1",
      "web-1 > and 5 more",
      "web-1 > pod-0",
      "web-1 > pod-1",
      "web-1 > pod-2",
      "web-1 > pod-3",
    ]));

  it("a revision that is not among the changes has an empty graph", () =>
    expect(causeGraph(rollout, 99)).toEqual({ nodes: [], edges: [], note: "" }));

  it("a chain of thousands ends with a note", () => {
    const chain = Array.from({ length: 5000 }, (_, at) => change(at + 1, "Pod", `p${at}`, at === 0 ? [] : [at]));
    const graph = causeGraph(chain, 2500);
    expect(graph.nodes.length).toBeLessThanOrEqual(60);
    expect(graph.note).toMatch(/more changes are not shown/);
  });

  it("changes that caused each other do not hang it", () =>
    expect(edgesOf(causeGraph([change(1, "Pod", "a", [2]), change(2, "Pod", "b", [1])], 1))).toEqual([
      "a > b",
      "b > a",
    ]));
});

const placed = (resource: string, name: string, object: KubernetesValue = {}): PlacedObject => ({
  ref: { group: "", version: "v1", resource, namespace: "default", name },
  object: { ...object, metadata: { name, uid: `${resource}-${name}`, ...object.metadata } },
});

const ownedBy = (resource: string, name: string): NonNullable<KubernetesValue["metadata"]> => ({
  ownerReferences: [{ apiVersion: "v1", kind: "X", name, uid: `${resource}-${name}`, controller: true }],
  labels: { app: name },
});

describe("the map of an object", () => {
  const world = [
    placed("deployments", "web"),
    placed("replicasets", "web-1", { metadata: ownedBy("deployments", "web") }),
    ...Array.from({ length: 8 }, (_, at) =>
      placed("pods", `web-1-${at}`, {
        metadata: { ...ownedBy("replicasets", "web-1"), labels: { app: "web" } },
        spec: { nodeName: "node-0", volumes: [{ configMap: { name: "settings" } }] },
      }),
    ),
    placed("pods", "stranger", { metadata: { labels: { app: "other" } }, spec: { nodeName: "node-0" } }),
    placed("services", "front", { spec: { selector: { app: "web" } } }),
    placed("networkpolicies", "guard", { spec: { podSelector: { matchLabels: { app: "web" } } } }),
    placed("ingresses", "door", {
      spec: { rules: [{ http: { paths: [{ backend: { service: { name: "front" } } }] } }] },
    }),
    placed("horizontalpodautoscalers", "grow", { spec: { scaleTargetRef: { kind: "Deployment", name: "web" } } }),
  ];
  const titles = (resource: string, name: string): string[] =>
    topologyOf({ group: "", version: "v1", resource, namespace: "default", name }, world)
      .nodes.map(({ title }) => title)
      .sort();

  it("of a deployment: its pods up to a number, what they use, and what leads to them", () =>
    expect(titles("deployments", "web")).toEqual([
      "and 3 more",
      "door",
      "front",
      "grow",
      "guard",
      "node-0",
      "settings",
      "web",
      "web-1",
      "web-1-0",
      "web-1-1",
      "web-1-2",
      "web-1-3",
      "web-1-4",
    ]));

  it("of a service: the pods that it selects, and not those of others on the same node", () =>
    expect(titles("services", "front")).not.toContain("stranger"));

  it("of an object that nothing belongs to: itself", () => expect(titles("secrets", "alone")).toEqual(["alone"]));
});
