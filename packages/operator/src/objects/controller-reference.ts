import { type GroupVersionKind, type OwnerReference } from "@coxswain/apimachinery/meta";
import { type Owned, ownerReference, withController, withOwner } from "@coxswain/apimachinery/owner-references";
import type { ResourceDefinition } from "../resource/index.js";

/** An object that owns others, with what it is. */
export interface Owner {
  readonly resource: ResourceDefinition<object>;
  readonly object: object;
}

const kindOf = ({ group, version, kind }: ResourceDefinition<object>): GroupVersionKind => ({ group, version, kind });

/**
 * The object with the owner as its controller: garbage collection deletes it with the owner, and `owns()` wakes the owner on its changes.
 * @throws AlreadyOwnedError where another controls it; Error where the owner is in another namespace
 */
export const setControllerReference = <T extends object>(object: T, owner: Owner): T =>
  withReferences(object, withController(ownedOf(object), ownedOf(owner.object), kindOf(owner.resource)));

/** The object with one more owner, which does not control it. */
export const setOwnerReference = <T extends object>(object: T, owner: Owner): T =>
  withReferences(object, withOwner(ownedOf(object), ownerReference(ownedOf(owner.object), kindOf(owner.resource))));

const ownedOf = (object: object): Owned => ({ metadata: {}, ...object });

const withReferences = <T extends object>(object: T, ownerReferences: OwnerReference[]): T => ({
  ...object,
  metadata: { ...ownedOf(object).metadata, ownerReferences },
});
