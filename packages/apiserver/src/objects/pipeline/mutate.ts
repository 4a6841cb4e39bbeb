import { cloneJson } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { type Soon, whenKnown } from "@coxswain/runtime/soon";
import { attributesOf } from "../admission-attributes.js";
import { trackManagedFields } from "../managed-fields.js";
import { dropRepeatedOwners } from "../repeated-owners.js";
import type { PendingWrite } from "./pending-write.js";

export function nextState(write: PendingWrite): Soon<void> {
  return whenKnown(write.requested.next(write.old, write.bytes), (next) => void (write.object = next));
}

export function trackFields(write: PendingWrite): Soon<void> {
  if (write.requested.fieldsTracked) return;
  const { deps, scope, old, object, bytes } = write;
  const tracking = trackManagedFields({ deps, scope, live: old, next: object }, bytes);
  return whenKnown(tracking, (tracked) => void (write.object = tracked));
}

/** Mutating admission. A projection is admitted as what the client sees, under the kind that is stored. */
export function mutate(write: PendingWrite): Soon<void> {
  const { deps, scope, storedScope, object, old, name } = write;
  const operation = write.current ? "UPDATE" : "CREATE";
  const attributes = attributesOf(scope, { operation, object, old, kind: storedScope.kind, name });
  write.attributes = attributes;
  return whenKnown(deps.admission.admit(attributes), () => {
    write.object = attributes.object ?? object;
    const repeated = dropRepeatedOwners(write.object.metadata, "after admission");
    if (repeated !== undefined) scope.warn(repeated);
  });
}

export function restoreStored(write: PendingWrite): void {
  const { projection } = write.scope;
  if (projection) write.object = projection.restore(cloneJson(currentOf(write)), write.object);
}

const currentOf = ({ current }: PendingWrite): KubernetesObject => {
  if (!current) throw new Error("a projection of an object that is not there");
  return current.object;
};
