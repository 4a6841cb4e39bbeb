import { quoteGo } from "../field/index.js";
import { formatGroupVersion, type GroupVersionKind, parseGroupVersion } from "../meta/group-version.js";
import type { OwnerReference } from "../meta/object-meta.js";

/** As much of an object as ownership needs. */
export interface Owned {
  readonly metadata: {
    readonly name?: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly ownerReferences?: readonly OwnerReference[];
  };
}

/** The reference to the one controller of an object, if it has one. */
export const controllerOf = (object: Owned): OwnerReference | undefined =>
  object.metadata.ownerReferences?.find((reference) => reference.controller === true);

/** Whether this very owner, and not a namesake made later, controls the object. */
export function isControlledBy(object: Owned, owner: Owned): boolean {
  const controller = controllerOf(object);
  return controller !== undefined && controller.uid === (owner.metadata.uid ?? "");
}

export const isOwnedBy = (object: Owned, uid: string): boolean =>
  object.metadata.ownerReferences?.some((reference) => reference.uid === uid) ?? false;

export function ownerReference(owner: Owned, gvk: GroupVersionKind): OwnerReference {
  return {
    apiVersion: formatGroupVersion(gvk),
    kind: gvk.kind,
    name: owner.metadata.name ?? "",
    uid: owner.metadata.uid ?? "",
  };
}

/** A reference that makes the owner the controller, and its deletion wait for the object's. */
export const controllerReference = (owner: Owned, gvk: GroupVersionKind): OwnerReference => ({
  ...ownerReference(owner, gvk),
  controller: true,
  blockOwnerDeletion: true,
});

/** The object has another controller already. */
export class AlreadyOwnedError extends Error {
  readonly owner: OwnerReference;
  constructor(object: Owned, owner: OwnerReference) {
    const { namespace = "", name = "" } = object.metadata;
    super(`Object ${namespace}/${name} is already owned by another ${owner.kind} controller ${owner.name}`);
    this.name = "AlreadyOwnedError";
    this.owner = owner;
  }
}

/**
 * The owner references of `object` once `owner` controls it: replaces the same owner's, keeps the others.
 * @throws AlreadyOwnedError when there is another controller; Error when the owner lives in another namespace
 */
export function withController(object: Owned, owner: Owned, gvk: GroupVersionKind): OwnerReference[] {
  checkNamespaces(object, owner);
  const reference = controllerReference(owner, gvk);
  const existing = controllerOf(object);
  if (existing !== undefined && !sameOwner(existing, reference)) throw new AlreadyOwnedError(object, existing);
  return withOwner(object, reference);
}

/** The owner references of `object` with this one added, in place of an older one to the same owner. */
export function withOwner(object: Owned, reference: OwnerReference): OwnerReference[] {
  const references = [...(object.metadata.ownerReferences ?? [])];
  const at = references.findIndex((existing) => sameOwner(existing, reference));
  references[at < 0 ? references.length : at] = reference;
  return references;
}

export const withoutOwner = (object: Owned, uid: string): OwnerReference[] =>
  (object.metadata.ownerReferences ?? []).filter((reference) => reference.uid !== uid);

/** Versions do not matter: an owner stays the same in each of them. */
function sameOwner(a: OwnerReference, b: OwnerReference): boolean {
  return (
    parseGroupVersion(a.apiVersion)?.group === parseGroupVersion(b.apiVersion)?.group &&
    a.kind === b.kind &&
    a.name === b.name
  );
}

function checkNamespaces(object: Owned, owner: Owned): void {
  const ownerNamespace = owner.metadata.namespace ?? "";
  const namespace = object.metadata.namespace ?? "";
  if (ownerNamespace === "" || ownerNamespace === namespace) return;
  if (namespace === "") {
    throw new Error(
      `cluster-scoped resource must not have a namespace-scoped owner, owner's namespace ${ownerNamespace}`,
    );
  }
  throw new Error(
    `cross-namespace owner references are disallowed: ${quoteGo(object.metadata.name ?? "")} is in ${namespace}, its owner in ${ownerNamespace}`,
  );
}
