export { type Scope, scopesOf, type UsageEvaluator } from "./usage-evaluator.js";
export {
  addTo,
  type Amounts,
  equalAmounts,
  increase,
  only,
  printAmounts,
  printNames,
  readAmounts,
  withoutZeros,
  writeAmounts,
  zero,
} from "./amounts.js";
export { countName, countObjects, isQuotable } from "./object-count.js";
export { createPodEvaluator, type PodEvaluatorOptions, usesComputing } from "./pods.js";
export { isTerminating } from "./pod-scopes.js";
export { createResourceClaimEvaluator, type ResourceClaimEvaluatorDeps } from "./resource-claims.js";
export { serviceEvaluator } from "./services.js";
export { volumeClaimEvaluator } from "./volume-claims.js";
export { isExtendedResource } from "./extended-resource.js";
