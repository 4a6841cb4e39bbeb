export { applyMergePatch } from "./merge-patch.js";
export { applyJsonPatch, applyJsonPatchInSteps, maxJsonPatchCopyBytes, maxJsonPatchOperations } from "./json-patch.js";
export { unknownOperationFields } from "./json-patch-operations.js";
export { maxPatchDepth } from "./patch-depth.js";
export { applyStrategicMergePatch } from "./strategic-merge-patch.js";
export {
  type ThreeWay,
  threeWayJsonMerge,
  ThreeWayMergeError,
  threeWayStrategicMerge,
  twoWayStrategicMerge,
} from "./three-way-merge.js";
export { createMergePatch } from "./merge-patch-diff.js";
export { goText } from "./go-text.js";
