export {
  type AnyKind,
  defineKind,
  type KindDefinition,
  type KindVersion,
  type ScalePaths,
  type SelectableFields,
} from "./kind-definition.js";
export {
  type CustomResourceFacts,
  type Deprecation,
  builtInDeprecation,
  factsOf,
  noFacts,
  type ResourceFacts,
} from "./resource-facts.js";
export type { StoredForm, VersionTypes } from "./stored-form.js";
export type { DeletionWish, Strategy, StrategyContext, UpdateStrategy } from "./strategy.js";
export type { Cell, ColumnDefinition, ColumnSet, RowCondition } from "./columns.js";
export { builtInKinds } from "./built-in-kinds.js";
export { genericKind } from "./generic-kind.js";
export { dropAnnotation, numberProblem } from "./number-annotation.js";
export { age } from "./age.js";
export { readJsonObjects } from "./checks/json-text.js";
export { checkObjectMeta } from "./checks/object-meta.js";
