import type { GraphNode } from "./graph-node.js";
import {
  compareIdentities,
  identityKey,
  identityOfReference,
  isReferenceTo,
  type ObjectIdentity,
} from "./object-identity.js";

/**
 * Pure: the dependents whose references agree with the identity, and those with a reference to its uid that does not. One
 * with several references to the uid may be among both.
 */
export function partitionDependents(
  dependents: Iterable<GraphNode>,
  owner: ObjectIdentity,
): { readonly matching: GraphNode[]; readonly mismatching: GraphNode[] } {
  const matching: GraphNode[] = [];
  const mismatching: GraphNode[] = [];
  for (const dependent of dependents) {
    if (owner.namespace !== "" && owner.namespace !== dependent.identity.namespace) {
      mismatching.push(dependent);
      continue;
    }
    const references = dependent.owners.filter(({ uid }) => uid === owner.uid);
    if (references.some((reference) => isReferenceTo(reference, owner))) matching.push(dependent);
    if (references.some((reference) => !isReferenceTo(reference, owner))) mismatching.push(dependent);
  }
  return { matching, mismatching };
}

/**
 * Pure: another identity by which dependents know an owner, now that `absent` was found not to exist: the next in order after
 * it, or the first of all, so that each is tried in turn.
 */
export function alternateIdentity(
  dependents: readonly GraphNode[],
  absent: ObjectIdentity,
): ObjectIdentity | undefined {
  const isOfCluster = absent.namespace === "";
  const others = new Map<string, ObjectIdentity>();
  for (const { owners, identity } of dependents)
    for (const reference of owners) {
      if (reference.uid !== absent.uid) continue;
      // Of a kind that is known to have no namespaces.
      const hasNoNamespace =
        isOfCluster && reference.apiVersion === absent.apiVersion && reference.kind === absent.kind;
      const other = identityOfReference(reference, hasNoNamespace ? "" : identity.namespace);
      if (identityKey(other) !== identityKey(absent)) others.set(identityKey(other), other);
    }
  const sorted = [...others.values()].sort(compareIdentities);
  return sorted.find((other) => compareIdentities(absent, other) < 0) ?? sorted[0];
}
