export { qosClass } from "./qos-class.js";
export { podReferences, type Reference, type ReferenceType } from "./pod-references.js";
export { amountOf, amounts, quantities } from "./pod-arithmetic.js";
export {
  type Arithmetic,
  containerResources,
  hasPodLevelRequests,
  hasPodLevelResources,
  isPodLevelResource,
  isRestartable,
  podLimits,
  podRequests,
  type PodRequestsOptions,
  type PodResourcesOptions,
  specOnly,
} from "./pod-resources.js";
