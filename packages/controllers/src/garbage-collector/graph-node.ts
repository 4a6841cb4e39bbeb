import type { OwnerReference } from "@coxswain/apimachinery/meta";
import type { ObjectIdentity } from "./object-identity.js";

/** An object in the graph. */
export interface GraphNode {
  readonly identity: ObjectIdentity;
  /** Objects with an owner reference to this one's uid. */
  readonly dependents: Set<GraphNode>;
  owners: readonly Readonly<OwnerReference>[];
  /** Whether it waits in a foreground deletion for its dependents to go. */
  isDeletingDependents: boolean;
  isBeingDeleted: boolean;
  /** Known from references only: no informer has seen it yet, and it may not exist. */
  isVirtual: boolean;
  /** As items of queues are named. */
  toString(): string;
}

export const createNode = (
  identity: ObjectIdentity,
  members: Partial<Omit<GraphNode, "identity">> = {},
): GraphNode => ({
  dependents: new Set(),
  owners: [],
  isDeletingDependents: false,
  isBeingDeleted: false,
  isVirtual: false,
  ...members,
  identity,
  toString: () => (identity.namespace === "" ? identity.name : `${identity.namespace}/${identity.name}`),
});

/** The same place in the graph under another identity. */
export const withIdentity = (node: GraphNode, identity: ObjectIdentity): GraphNode =>
  createNode(identity, { ...node, dependents: new Set(node.dependents) });

/** The dependents that a foreground deletion of the node waits for. */
export const blockingDependents = (node: GraphNode): GraphNode[] =>
  [...node.dependents].filter(({ owners }) =>
    owners.some(({ uid, blockOwnerDeletion }) => uid === node.identity.uid && blockOwnerDeletion === true),
  );
