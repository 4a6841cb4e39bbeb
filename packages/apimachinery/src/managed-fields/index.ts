export { applyServerSideInSteps, type ApplyRequest, type ApplyResult } from "./apply.js";
export { applyServerSide } from "./gen/apply.js";
export { mergeConfiguration, MergeConfigurationError } from "./merge-configuration.js";
export { updateManagedFieldsInSteps, type UpdateRequest } from "./update.js";
export { updateManagedFields } from "./gen/update.js";
export type { ManagedFieldsEntry } from "./managed-fields-entry.js";
export { findInvalidEntry, invalidAfterAdmission, keepTimes } from "./settle-entries.js";
export { entriesAfterScale, entriesOfScale, type ReplicasPaths } from "./scale-entries.js";
export { ownersOf, upgradeToServerSideApply, type UpgradeOptions } from "./upgrade-managers.js";
export { lastAppliedAnnotation } from "./last-applied.js";
export { anyElement, excludeFields, type FieldFilter, includeFields } from "./field-filter.js";
export type { ConvertVersion, VersionOptions } from "./versions.js";

// The set of fields itself.
export {
  difference,
  differenceWithBelow,
  emptySet,
  type FieldSet,
  has as hasPath,
  intersection,
  isEmpty as isEmptySet,
  union,
} from "./gen/field-set.js";
export { readFieldsV1 } from "./gen/fields-v1.js";
export { pathsOf } from "./paths-of.js";
export { equalSets, setOf } from "./set-of.js";
export { fieldElement, keyElement, type PathElement, pathText, valueElement } from "./path-element.js";
