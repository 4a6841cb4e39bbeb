export { apply, type ApplyObjectOptions } from "./apply.js";
export {
  type Condition,
  type ConditionUpdate,
  findCondition,
  isConditionTrue,
  removeCondition,
  setCondition,
} from "./conditions.js";
export { type Owner, setControllerReference, setOwnerReference } from "./controller-reference.js";
export { createOrPatch, type Operation } from "./create-or-patch.js";
export { deleteDerived } from "./delete-derived.js";
export { ensureFinalizer, isBeingDeleted, removeFinalizer } from "./finalizers.js";
export { patchStatus, type StatusOf } from "./patch-status.js";
export type { MadeFrom, SourceObject } from "./source.js";
export { isStaleSource, StaleSourceError } from "./stale-source-error.js";
export { AlreadyOwnedError, isControlledBy } from "@coxswain/apimachinery/owner-references";
