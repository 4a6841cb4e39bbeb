export { createReconcileLoop, type ReconcileLoop, type ReconcileLoopOptions } from "./reconcile-loop.js";
export { createExpectations, type Expectations, type ExpectationsOptions } from "./expectations.js";
export {
  type Behind,
  type ConsistencyStore,
  createConsistencyStore,
  type Owner,
  type VersionedCache,
} from "./consistency-store.js";
export { hasFinalizer, withFinalizer, withoutFinalizer } from "./finalizers.js";
export {
  adoptionPatch,
  type Claim,
  type Claimable,
  claimObjects,
  type ClaimOptions,
  decideClaim,
  releasePatch,
} from "./controller-ref-manager.js";
// Owner references themselves are made by pure functions of the object.
export {
  AlreadyOwnedError,
  controllerOf,
  controllerReference,
  isControlledBy,
  isOwnedBy,
  type Owned,
  ownerReference,
  withController,
  withOwner,
  withoutOwner,
} from "@coxswain/apimachinery/owner-references";
