import type { OwnerReference } from "@coxswain/apimachinery/meta";
import type { ClassifiedOwners } from "./classify-owners.js";
import { foregroundFinalizer, orphanFinalizer } from "./dependency-graph.js";
import { blockingDependents, type GraphNode } from "./graph-node.js";

/** What becomes of an object that may be garbage. */
export type ExaminePlan =
  | { readonly kind: "keep" }
  /** Some owner keeps it; these references go. */
  | { readonly kind: "remove-owners"; readonly uids: readonly string[] }
  | {
      readonly kind: "delete";
      readonly policy: "Background" | "Foreground" | "Orphan";
      /** First made not to hold up its owners: it is part of a circle of foreground deletions. */
      readonly unblockOwners: readonly Readonly<OwnerReference>[];
    };

/** Pure: decided by the owners that the object has on the server. It goes when none of them keeps it. */
export function planExamination(
  node: Pick<GraphNode, "dependents" | "owners">,
  finalizers: readonly string[],
  { solid, dangling, waiting }: ClassifiedOwners,
): ExaminePlan {
  if (solid.length > 0) {
    // An owner that waits for its dependents would wait forever for one that stays.
    const uids = [...dangling, ...waiting].map(({ uid }) => uid);
    return uids.length === 0 ? { kind: "keep" } : { kind: "remove-owners", uids };
  }
  if (dangling.length + waiting.length === 0) return { kind: "keep" };
  if (waiting.length > 0 && node.dependents.size > 0) {
    const isInCircle = [...node.dependents].some(({ isDeletingDependents }) => isDeletingDependents);
    return { kind: "delete", policy: "Foreground", unblockOwners: isInCircle ? node.owners : [] };
  }
  // The object's own finalizers state how it wants to be deleted.
  if (finalizers.includes(orphanFinalizer)) return { kind: "delete", policy: "Orphan", unblockOwners: [] };
  const policy = finalizers.includes(foregroundFinalizer) ? "Foreground" : "Background";
  return { kind: "delete", policy, unblockOwners: [] };
}

/** Pure: in a foreground deletion, the dependents to examine; none that blocks is left: the finalizer may go. */
export function planForeground(
  node: GraphNode,
): { readonly kind: "remove-finalizer" } | { readonly kind: "examine"; readonly dependents: readonly GraphNode[] } {
  const blocking = blockingDependents(node);
  if (blocking.length === 0) return { kind: "remove-finalizer" };
  return { kind: "examine", dependents: blocking.filter(({ isDeletingDependents }) => !isDeletingDependents) };
}
