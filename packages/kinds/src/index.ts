export {
  type AnyKind,
  type KindDefinition,
  type KindVersion,
  type ScalePaths,
  type SelectableFields,
} from "./definition/kind-definition.js";
export {
  type CustomResourceFacts,
  type OwnResourceFacts,
  type Deprecation,
  builtInDeprecation,
  factsOf,
  noFacts,
  type ResourceFacts,
} from "./definition/resource-facts.js";
export type { StoredForm, VersionTypes } from "./definition/stored-form.js";
export type { FieldErrors } from "./definition/field-errors.js";
export type { DeletionOptions, Strategy, StrategyContext, UpdateStrategy } from "./definition/strategy.js";
export {
  ageColumn,
  type Cell,
  column,
  type ColumnDefinition,
  type ColumnSet,
  nameColumn,
  type RowCondition,
  type TableEffort,
} from "./definition/columns.js";
export { builtInKinds } from "./built-in-kinds.js";
export { genericKind } from "./built-in/generic-kind.js";
export { dropAnnotation, numberProblem } from "./definition/number-annotation.js";
export { age } from "./definition/age.js";
export { readJsonObjects } from "./checks/json-text.js";
export { checkObjectMeta } from "./checks/object-meta.js";
