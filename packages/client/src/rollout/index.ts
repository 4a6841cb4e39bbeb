export { daemonSetRollout, deploymentRollout, type RolloutStatus, statefulSetRollout } from "./rollout-status.js";
export { type RolloutOptions, waitForRollout } from "./wait-for-rollout.js";
