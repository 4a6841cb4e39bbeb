import { equalJson } from "@coxswain/apimachinery/json";
import type { OwnerReference } from "@coxswain/apimachinery/meta";
import { createNode, type GraphNode, withIdentity } from "./graph-node.js";
import { identityOfReference, isReferenceTo, isSameIdentity, type ObjectIdentity } from "./object-identity.js";
import { alternateIdentity, partitionDependents } from "./owner-identities.js";

/** As much of an object as the graph looks at. */
export interface GraphObject {
  readonly identity: ObjectIdentity;
  readonly owners: readonly Readonly<OwnerReference>[];
  readonly finalizers: readonly string[];
  readonly isBeingDeleted: boolean;
}

/** The finalizers that stand for the two policies of deletion. */
export const foregroundFinalizer = "foregroundDeletion";
export const orphanFinalizer = "orphan";

/** What the graph finds out about; called while a change is taken in. */
export interface GraphListener {
  /** The node may have to be deleted, or its deletion finished. */
  examine(node: GraphNode): void;
  /** As `examine`, after a while: it was examined just now under another identity. */
  examineLater(node: GraphNode): void;
  /** The node is being deleted and its dependents are to stay. */
  orphan(node: GraphNode): void;
  /** No such object exists. */
  absent(identity: ObjectIdentity): void;
  /** A dependent names an owner that is in another namespace. */
  crossesNamespaces(dependent: GraphNode, reference: Readonly<OwnerReference>): void;
}

/**
 * All objects of the cluster and which of them own which, kept up by what informers see. Owners that no informer has seen are
 * virtual nodes: they are examined, and go when the server does not have them.
 */
export class DependencyGraph {
  readonly #nodes = new Map<string, GraphNode>();
  readonly #listener: GraphListener;

  constructor(listener: GraphListener) {
    this.#listener = listener;
  }

  node(uid: string): GraphNode | undefined {
    return this.#nodes.get(uid);
  }

  get size(): number {
    return this.#nodes.size;
  }

  /** An informer saw the object, new or changed. */
  changed(object: GraphObject, old?: GraphObject): void {
    const existing = this.#observed(object);
    const node = existing ?? this.#insert(object);
    if (existing) this.#updateOwners(existing, object.owners);
    if (object.isBeingDeleted) node.isBeingDeleted = true;
    this.#startDeletion(node, object, old);
  }

  /** An informer saw the object go. */
  deleted(object: GraphObject): void {
    const node = this.#observed(object);
    if (node) this.#remove(node, object.identity);
  }

  /** The server does not have an object that references name. */
  foundAbsent(identity: ObjectIdentity): void {
    const node = this.#nodes.get(identity.uid);
    if (!node) return;
    const { matching, mismatching } = partitionDependents(node.dependents, identity);
    const isSure = node.isVirtual ? mismatching.length === 0 : isSameIdentity(node.identity, identity);
    if (isSure) {
      this.#remove(node, identity);
      return;
    }
    // Dependents disagree about who the owner is: those that mean the absent one have lost it, the others perhaps not.
    if (matching.length > 0) this.#listener.absent(identity);
    for (const dependent of matching) this.#listener.examine(dependent);
    if (!node.isVirtual || !isSameIdentity(node.identity, identity)) return;
    const alternate = alternateIdentity(mismatching, identity);
    if (!alternate) return;
    const replacement = withIdentity(node, alternate);
    this.#nodes.set(identity.uid, replacement);
    this.#listener.examineLater(replacement);
  }

  /** The node of an object that an informer saw; it is not virtual any more. */
  #observed({ identity }: GraphObject): GraphNode | undefined {
    let node = this.#nodes.get(identity.uid);
    if (!node?.isVirtual) return node;
    if (!isSameIdentity(node.identity, identity)) {
      for (const dependent of partitionDependents(node.dependents, identity).mismatching) {
        if (identity.namespace !== "" && dependent.identity.namespace !== identity.namespace)
          this.#reportCrossing(dependent, identity.uid);
        this.#listener.examine(dependent);
      }
      // A new node: who examines the old one must not find its identity changed.
      node = withIdentity(node, identity);
      this.#nodes.set(identity.uid, node);
    }
    node.isVirtual = false;
    return node;
  }

  #insert(object: GraphObject): GraphNode {
    const { identity, owners, isBeingDeleted } = object;
    const isDeletingDependents = isBeingDeleted && object.finalizers.includes(foregroundFinalizer);
    const node = createNode(identity, { owners, isBeingDeleted, isDeletingDependents });
    this.#nodes.set(identity.uid, node);
    this.#addToOwners(node, owners);
    return node;
  }

  #updateOwners(node: GraphNode, owners: readonly Readonly<OwnerReference>[]): void {
    const { added, removed, changed } = compareReferences(node.owners, owners);
    if (added.length + removed.length + changed.length === 0) return;
    const unblocked = [
      ...removed.filter(({ blockOwnerDeletion }) => blockOwnerDeletion === true),
      ...changed
        .filter(({ before, after }) => before.blockOwnerDeletion && !after.blockOwnerDeletion)
        .map(({ after }) => after),
    ];
    for (const { uid } of unblocked) {
      const owner = this.#nodes.get(uid);
      if (owner) this.#listener.examine(owner);
    }
    node.owners = owners;
    this.#addToOwners(node, added);
    for (const { uid } of removed) this.#nodes.get(uid)?.dependents.delete(node);
  }

  #addToOwners(node: GraphNode, owners: readonly Readonly<OwnerReference>[]): void {
    let isDoubtful = false;
    for (const reference of owners) {
      const owner = this.#nodes.get(reference.uid);
      if (owner) {
        owner.dependents.add(node);
        isDoubtful ||= this.#isDoubtful(node, reference, owner);
        continue;
      }
      const virtual = createNode(identityOfReference(reference, node.identity.namespace), {
        isVirtual: true,
        dependents: new Set([node]),
      });
      this.#nodes.set(reference.uid, virtual);
      this.#listener.examine(virtual);
    }
    if (isDoubtful) this.#listener.examine(node);
  }

  /** Whether the reference may not mean the object that has its uid. */
  #isDoubtful(node: GraphNode, reference: Readonly<OwnerReference>, owner: GraphNode): boolean {
    const isElsewhere = owner.identity.namespace !== node.identity.namespace;
    if (owner.identity.namespace !== "" && isElsewhere) {
      if (!owner.isVirtual) this.#reportCrossing(node, reference.uid);
      return true;
    }
    // A virtual owner without a namespace may be of a namespaced kind that an object of the cluster names by mistake.
    return !isReferenceTo(reference, owner.identity) || (isElsewhere && owner.isVirtual);
  }

  #reportCrossing(dependent: GraphNode, uid: string): void {
    const reference = dependent.owners.find((owner) => owner.uid === uid);
    if (reference) this.#listener.crossesNamespaces(dependent, reference);
  }

  #startDeletion(node: GraphNode, object: GraphObject, old: GraphObject | undefined): void {
    const starts = (finalizer: string): boolean =>
      isDeletedWith(object, finalizer) && !(old && isDeletedWith(old, finalizer));
    if (starts(orphanFinalizer)) {
      this.#listener.orphan(node);
      return;
    }
    if (!starts(foregroundFinalizer)) return;
    node.isDeletingDependents = true;
    for (const dependent of node.dependents) this.#listener.examine(dependent);
    this.#listener.examine(node);
  }

  #remove(node: GraphNode, identity: ObjectIdentity): void {
    this.#nodes.delete(node.identity.uid);
    for (const { uid } of node.owners) this.#nodes.get(uid)?.dependents.delete(node);
    if (node.dependents.size > 0) this.#listener.absent(identity);
    for (const dependent of node.dependents) this.#listener.examine(dependent);
    for (const { uid } of node.owners) {
      const owner = this.#nodes.get(uid);
      if (owner?.isDeletingDependents) this.#listener.examine(owner);
    }
  }
}

const isDeletedWith = ({ isBeingDeleted, finalizers }: GraphObject, finalizer: string): boolean =>
  isBeingDeleted && finalizers.includes(finalizer);

function compareReferences(old: readonly Readonly<OwnerReference>[], owners: readonly Readonly<OwnerReference>[]) {
  const before = new Map(old.map((reference) => [reference.uid, reference]));
  const rest = new Map(before);
  const added: Readonly<OwnerReference>[] = [];
  const changed: { before: Readonly<OwnerReference>; after: Readonly<OwnerReference> }[] = [];
  for (const after of owners) {
    const same = rest.get(after.uid);
    if (!same) added.push(after);
    else if (!equalJson(same, after)) changed.push({ before: same, after });
    rest.delete(after.uid);
  }
  return { added, removed: [...rest.values()], changed };
}
