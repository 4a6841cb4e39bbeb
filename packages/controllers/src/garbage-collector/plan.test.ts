import type { OwnerReference } from "@coxswain/apimachinery/meta";
import { describe, expect, it } from "vitest";
import type { ClassifiedOwners } from "./classify-owners.js";
import { createNode, type GraphNode } from "./graph-node.js";
import { type ExaminePlan, planExamination, planForeground } from "./plan.js";

const owner = (uid: string, members: Partial<OwnerReference> = {}): OwnerReference => ({
  apiVersion: "v1",
  kind: "Pod",
  name: uid,
  uid,
  ...members,
});
const node = (uid: string, members: Partial<GraphNode> = {}): GraphNode =>
  createNode({ apiVersion: "v1", kind: "Pod", namespace: "n", name: uid, uid }, members);

describe("what becomes of an object", () => {
  const dependent = node("d");
  const deleting = node("d", { isDeletingDependents: true });
  const rows: {
    name: string;
    owners: Partial<ClassifiedOwners>;
    dependents?: GraphNode[];
    finalizers?: string[];
    plan: Partial<ExaminePlan>;
  }[] = [
    { name: "an owner that exists keeps it", owners: { solid: [owner("s")] }, plan: { kind: "keep" } },
    {
      name: "with one that exists the references to others go",
      owners: { solid: [owner("s")], dangling: [owner("g")], waiting: [owner("w")] },
      plan: { kind: "remove-owners", uids: ["g", "w"] },
    },
    { name: "without owners that exist it goes", owners: { dangling: [owner("g")] }, plan: { policy: "Background" } },
    {
      name: "its own finalizer decides that its dependents stay",
      owners: { dangling: [owner("g")] },
      finalizers: ["orphan"],
      plan: { policy: "Orphan" },
    },
    {
      name: "its own finalizer decides that its dependents go first",
      owners: { dangling: [owner("g")] },
      finalizers: ["foregroundDeletion"],
      plan: { policy: "Foreground" },
    },
    {
      name: "an owner that waits and dependents of its own: they go first",
      owners: { waiting: [owner("w")] },
      dependents: [dependent],
      plan: { policy: "Foreground", unblockOwners: [] },
    },
    {
      name: "an owner that waits and no dependents",
      owners: { waiting: [owner("w")] },
      plan: { policy: "Background" },
    },
    {
      name: "in a circle of foreground deletions it lets its owners go first",
      owners: { waiting: [owner("w")] },
      dependents: [deleting],
      plan: { policy: "Foreground", unblockOwners: [owner("w")] },
    },
  ];
  for (const row of rows)
    it(row.name, () =>
      expect(
        planExamination({ dependents: new Set(row.dependents), owners: [owner("w")] }, row.finalizers ?? [], {
          solid: [],
          dangling: [],
          waiting: [],
          ...row.owners,
        }),
      ).toMatchObject(row.plan),
    );
});

describe("a foreground deletion", () => {
  const blocks = { owners: [owner("o", { blockOwnerDeletion: true })] };
  it("ends when no dependent blocks it", () =>
    expect(planForeground(node("o", { dependents: new Set([node("a", { owners: [owner("o")] })]) })).kind).toBe(
      "remove-finalizer",
    ));
  it("waits for dependents that block, and examines those that do not wait themselves", () => {
    const plain = node("a", blocks);
    const waiting = node("b", { ...blocks, isDeletingDependents: true });
    expect(planForeground(node("o", { dependents: new Set([plain, waiting]) }))).toEqual({
      kind: "examine",
      dependents: [plain],
    });
  });
});
