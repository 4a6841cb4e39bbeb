export {
  compileNodeSelector,
  compilePreferredTerms,
  matchesNode,
  type NodeMatch,
  preferenceOf,
  type PreferredTerm,
  requiredNodeMatch,
} from "./node-affinity.js";
export { findUntolerated, isHard, isTolerated, tolerates, type TolerationRules } from "./tolerations.js";
