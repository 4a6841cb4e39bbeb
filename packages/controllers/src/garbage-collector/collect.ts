import { isNotFound } from "@coxswain/apimachinery/status";
import { messageOf } from "../pods/pod-control.js";
import type { AbsentOwners } from "./absent-owners.js";
import { classifyOwners } from "./classify-owners.js";
import { type DependencyGraph, foregroundFinalizer, orphanFinalizer } from "./dependency-graph.js";
import type { GraphNode } from "./graph-node.js";
import { type LiveObjects, NamespacedOwnerError } from "./live-objects.js";
import { identityText } from "./object-identity.js";
import { planExamination, planForeground } from "./plan.js";

export interface CollectOptions {
  readonly graph: DependencyGraph;
  readonly live: LiveObjects;
  readonly absentOwners: AbsentOwners;
  /** Puts a node into the queue of those to examine. */
  examine(node: GraphNode): void;
}

/** The node exists on the server, and no informer has seen it: look again. */
export class NotObservedError extends Error {
  constructor() {
    super("no informer has seen the object yet");
    this.name = "NotObservedError";
  }
}

/** Deletes the object of a node if nothing owns it any more. @throws NotObservedError and what the server answers: to be tried again */
export async function examineNode(node: GraphNode, options: CollectOptions): Promise<void> {
  const { graph } = options;
  // A virtual node that was examined before may have been replaced meanwhile by what an informer saw, or have gone.
  if (node.isVirtual && !graph.node(node.identity.uid)?.isVirtual) return;
  const outcome = await carryOut(node, options).catch((error: unknown) => {
    // The reference is wrong for good.
    if (error instanceof NamespacedOwnerError) return "settled" as const;
    throw error;
  });
  if (outcome === "absent") graph.foundAbsent(node.identity);
  if (outcome === "examined" && node.isVirtual) throw new NotObservedError();
}

async function carryOut(node: GraphNode, options: CollectOptions): Promise<"examined" | "absent" | "settled"> {
  const { live } = options;
  const { identity } = node;
  // Its own deletion is under way; its dependents' turn comes when it has gone.
  if (node.isBeingDeleted && !node.isDeletingDependents) return "examined";
  const latest = await live.get(identity);
  if (latest?.metadata?.uid !== identity.uid) return "absent";
  if (node.isDeletingDependents) {
    const plan = planForeground(node);
    if (plan.kind === "remove-finalizer") await live.removeFinalizer(identity, foregroundFinalizer);
    else for (const dependent of plan.dependents) options.examine(dependent);
    return "examined";
  }
  const { ownerReferences = [], finalizers = [] } = latest.metadata;
  if (ownerReferences.length === 0) return "examined";
  const plan = planExamination(node, finalizers, await classifyOwners(identity, ownerReferences, options));
  if (plan.kind === "remove-owners") await live.removeOwners(identity, plan.uids);
  if (plan.kind !== "delete") return "examined";
  try {
    if (plan.unblockOwners.length > 0) await live.unblockOwners(identity, plan.unblockOwners);
    await live.delete(identity, latest, plan.policy);
    return "examined";
  } catch (error) {
    if (isNotFound(error)) return "absent";
    throw error;
  }
}

/** How many requests one orphaning sends at once. */
const orphansAtOnce = 100;

/** Takes the references to the node from all its dependents, then lets it go. One that fails does not keep the others. */
export async function orphanDependents(node: GraphNode, { live }: Pick<CollectOptions, "live">): Promise<void> {
  const dependents = [...node.dependents];
  const failures: Error[] = [];
  const orphan = ({ identity }: GraphNode): Promise<void> =>
    live.removeOwners(identity, [node.identity.uid]).catch((error: unknown) => {
      if (isNotFound(error)) return;
      failures.push(new Error(`orphaning ${identityText(identity)} failed, ${messageOf(error)}`, { cause: error }));
    });
  for (let at = 0; at < dependents.length; at += orphansAtOnce)
    await Promise.all(dependents.slice(at, at + orphansAtOnce).map(orphan));
  if (failures.length > 0)
    throw new AggregateError(
      failures,
      `failed to orphan dependents of owner ${identityText(node.identity)}, got errors: ${failures.map(messageOf).join(", ")}`,
    );
  await live.removeFinalizer(node.identity, orphanFinalizer);
}
