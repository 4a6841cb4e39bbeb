import type { OwnerReference } from "@coxswain/apimachinery/meta";
import { describe, expect, it } from "vitest";
import { DependencyGraph, foregroundFinalizer, type GraphObject, orphanFinalizer } from "./dependency-graph.js";
import type { GraphNode } from "./graph-node.js";
import { identityOfReference } from "./object-identity.js";

/** "a" is the Pod a in the namespace n with the uid a; "m/a" is in another namespace, "/a" a Node of the cluster. */
function identityOf(text: string) {
  const [namespace, name] = text.includes("/") ? (text.split("/") as [string, string]) : ["n", text];
  return { apiVersion: "v1", kind: namespace === "" ? "Node" : "Pod", namespace, name, uid: name };
}
const owner = (text: string, members: Partial<OwnerReference> = {}): OwnerReference => {
  const { apiVersion, kind, name, uid } = identityOf(text);
  return { apiVersion, kind, name, uid, ...members };
};
const object = (text: string, owners: OwnerReference[] = [], members: Partial<GraphObject> = {}): GraphObject => ({
  identity: identityOf(text),
  owners,
  finalizers: [],
  isBeingDeleted: false,
  ...members,
});
const deletedWith = (finalizer: string): Partial<GraphObject> => ({ isBeingDeleted: true, finalizers: [finalizer] });
const blocking = { blockOwnerDeletion: true };

function run(steps: readonly ((graph: DependencyGraph) => void)[]): string[] {
  let log: string[] = [];
  const name = ({ identity, isVirtual }: GraphNode): string => (isVirtual ? `virtual ${identity.name}` : identity.name);
  const graph = new DependencyGraph({
    examine: (node) => log.push(`examine ${name(node)}`),
    examineLater: (node) => log.push(`later ${name(node)} as ${node.identity.kind}`),
    orphan: (node) => log.push(`orphan ${name(node)}`),
    absent: ({ uid }) => log.push(`absent ${uid}`),
    crossesNamespaces: (node, reference) => log.push(`${name(node)} crosses to ${reference.uid}`),
  });
  for (const [at, step] of steps.entries()) {
    if (at === steps.length - 1) log = [];
    step(graph);
  }
  return log;
}
const sees =
  (...seen: Parameters<DependencyGraph["changed"]>) =>
  (graph: DependencyGraph): void =>
    graph.changed(...seen);
const seesGo = (gone: GraphObject) => (graph: DependencyGraph) => graph.deleted(gone);
const findsAbsent = (reference: OwnerReference, namespace: string) => (graph: DependencyGraph) =>
  graph.foundAbsent(identityOfReference(reference, namespace));

describe("what the last of some changes leads to", () => {
  const rows: { name: string; steps: ((graph: DependencyGraph) => void)[]; log: string[] }[] = [
    { name: "an object without owners: nothing", steps: [sees(object("a"))], log: [] },
    {
      name: "an owner that nobody has seen is examined",
      steps: [sees(object("a", [owner("o")]))],
      log: ["examine virtual o"],
    },
    {
      name: "an owner that was seen is not",
      steps: [sees(object("o")), sees(object("a", [owner("o")]))],
      log: [],
    },
    {
      name: "an owner that goes is absent, and its dependents are examined",
      steps: [sees(object("o")), sees(object("a", [owner("o")])), seesGo(object("o"))],
      log: ["absent o", "examine a"],
    },
    {
      name: "a virtual owner that the server does not have goes the same way",
      steps: [sees(object("a", [owner("o")])), findsAbsent(owner("o"), "n")],
      log: ["absent o", "examine a"],
    },
    {
      name: "the deletion of an owner in the foreground examines dependents, then itself",
      steps: [
        sees(object("o")),
        sees(object("a", [owner("o")])),
        sees(object("o", [], deletedWith(foregroundFinalizer)), object("o")),
      ],
      log: ["examine a", "examine o"],
    },
    {
      name: "a further change during it does not",
      steps: [
        sees(object("o", [], deletedWith(foregroundFinalizer))),
        sees(object("o", [], deletedWith(foregroundFinalizer)), object("o", [], deletedWith(foregroundFinalizer))),
      ],
      log: [],
    },
    {
      name: "an owner that is first seen in a foreground deletion is examined",
      steps: [sees(object("o", [], deletedWith(foregroundFinalizer)))],
      log: ["examine o"],
    },
    {
      name: "the last dependent's end lets the owner's deletion go on",
      steps: [
        sees(object("o", [], deletedWith(foregroundFinalizer))),
        sees(object("a", [owner("o", blocking)])),
        seesGo(object("a")),
      ],
      log: ["examine o"],
    },
    {
      name: "a dependent that ceases to block lets it go on too",
      steps: [
        sees(object("o", [], deletedWith(foregroundFinalizer))),
        sees(object("a", [owner("o", blocking)])),
        sees(object("a", [owner("o")])),
      ],
      log: ["examine o"],
    },
    {
      name: "and one that is given to another owner",
      steps: [
        sees(object("o")),
        sees(object("p")),
        sees(object("a", [owner("o", blocking)])),
        sees(object("a", [owner("p")])),
      ],
      log: ["examine o"],
    },
    {
      name: "an orphaning deletion",
      steps: [sees(object("o")), sees(object("o", [], deletedWith(orphanFinalizer)), object("o"))],
      log: ["orphan o"],
    },
    {
      name: "an owner in another namespace is reported and the dependent examined",
      steps: [sees(object("m/o")), sees(object("a", [owner("o")]))],
      log: ["a crosses to o", "examine a"],
    },
    {
      name: "the same when the dependent is seen first",
      steps: [sees(object("a", [owner("o")])), sees(object("m/o"))],
      log: ["a crosses to o", "examine a"],
    },
    {
      name: "an owner of the cluster may own in any namespace",
      steps: [sees(object("/o")), sees(object("a", [owner("/o")]))],
      log: [],
    },
    {
      name: "a reference with another name than the owner's is examined",
      steps: [sees(object("o")), sees(object("a", [owner("o", { name: "other" })]))],
      log: ["examine a"],
    },
    {
      name: "dependents disagree about a virtual owner: the other identity is tried later",
      steps: [
        sees(object("a", [owner("o")])),
        sees(object("b", [owner("o", { kind: "Secret" })])),
        findsAbsent(owner("o"), "n"),
      ],
      log: ["absent o", "examine a", "later virtual o as Secret"],
    },
    {
      name: "an owner that was seen does not go because a wrong reference leads nowhere",
      steps: [
        sees(object("o")),
        sees(object("a", [owner("o", { kind: "Secret" })])),
        sees(object("b", [owner("o")])),
        findsAbsent(owner("o", { kind: "Secret" }), "n"),
      ],
      log: ["absent o", "examine a"],
    },
  ];
  for (const row of rows) it(row.name, () => expect(run(row.steps)).toEqual(row.log));
});

it("nothing is left of objects that have come and gone", () => {
  const graph = new DependencyGraph({
    examine: () => {},
    examineLater: () => {},
    orphan: () => {},
    absent: () => {},
    crossesNamespaces: () => {},
  });
  graph.changed(object("a", [owner("o")]));
  graph.changed(object("o"));
  expect(graph.node("o")?.dependents.size).toBe(1);
  graph.deleted(object("a", [owner("o")]));
  expect(graph.node("o")?.dependents.size).toBe(0);
  graph.deleted(object("o"));
  expect(graph.size).toBe(0);
});
