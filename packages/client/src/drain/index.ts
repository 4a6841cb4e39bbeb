export { cordonNode, drainNode, DrainObstacleError, type DrainOptions } from "./drain-node.js";
export { type DrainDecision, type DrainPolicy, planPod } from "./plan-drain.js";
