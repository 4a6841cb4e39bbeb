export {
  addEstimates,
  type CallEstimate,
  type CallEstimator,
  type CostEstimate,
  type CostEstimator,
  type CostNode,
  type Estimate,
  type EstimatedCall,
  fixed,
  maxCost,
  multiplyByFactor,
  multiplyEstimates,
  noCost,
  type SizeEstimate,
  sizeOfNode,
  unionEstimates,
  unknownSize,
} from "../declarations/estimate.js";
export { type CostOptions, estimateCost } from "./estimate-cost.js";
export { costs } from "./factors.js";
