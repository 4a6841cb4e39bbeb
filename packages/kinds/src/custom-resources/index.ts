// What a server needs to serve custom resources.
export { customResource, type CustomResource, type CustomResourceDeps } from "./custom-resource.js";
export { type CustomScale, noReplicas, readScale, replicasNeeded, withReplicas } from "./scale.js";
export type { CallConversionWebhook } from "./conversion/convert-objects.js";
export { customKind, type CustomKindDeps } from "./custom-kind.js";
export type { CustomObject } from "./custom-object.js";
export { ConversionError } from "./conversion/conversion-error.js";
export { type AskedConversion, readConversionResponse } from "./conversion/conversion-response.js";
export {
  chooseReviewVersion,
  conversionRequest,
  noReviewVersion,
  type ReviewHead,
  type ReviewVersion,
} from "./conversion/conversion-review.js";
export { checkConvertible, isEmptyObject, relabel } from "./conversion/convertible.js";
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
} from "../validation-rules/rule-compiler.js";
export { planApproval } from "../apiextensions/custom-resource-definition/plan-approval.js";
export { planEstablishing } from "../apiextensions/custom-resource-definition/plan-establishing.js";
export { planNames, type UsedNames, usedNames } from "../apiextensions/custom-resource-definition/plan-names.js";
export { findViolations, planNonStructural } from "../apiextensions/custom-resource-definition/plan-non-structural.js";
export {
  endTermination,
  failTermination,
  hasInstances,
  inTermination,
  isTerminating,
  type TerminationFailure,
} from "../apiextensions/custom-resource-definition/termination.js";
export { findCondition, isConditionTrue } from "../apiextensions/custom-resource-definition/conditions.js";
export type { Definition, VersionSpec } from "./version-spec.js";
