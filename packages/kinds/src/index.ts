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
export { customKind, type CustomKindDeps } from "./custom-resources/custom-kind.js";
export type { CustomObject } from "./custom-resources/custom-object.js";
export { ConversionError } from "./custom-resources/conversion/conversion-error.js";
export { type AskedConversion, readConversionResponse } from "./custom-resources/conversion/conversion-response.js";
export {
  chooseReviewVersion,
  conversionRequest,
  noReviewVersion,
  type ReviewHead,
  type ReviewVersion,
} from "./custom-resources/conversion/conversion-review.js";
export { checkConvertible, isEmptyObject, relabel } from "./custom-resources/conversion/convertible.js";
export {
  type CompiledMessage,
  type CompiledRule,
  costLimitExceeded,
  perCallCostLimit,
  type Rule,
  type RuleCompiler,
  type RuleOutcome,
  type RuleProgram,
  type RuleScope,
} from "./validation-rules/rule-compiler.js";
export { planApproval } from "./apiextensions/custom-resource-definition/plan-approval.js";
export { planEstablishing } from "./apiextensions/custom-resource-definition/plan-establishing.js";
export { planNames, type UsedNames, usedNames } from "./apiextensions/custom-resource-definition/plan-names.js";
export { planNonStructural } from "./apiextensions/custom-resource-definition/plan-non-structural.js";
export {
  endTermination,
  failTermination,
  hasInstances,
  inTermination,
  isTerminating,
  type TerminationFailure,
} from "./apiextensions/custom-resource-definition/termination.js";
