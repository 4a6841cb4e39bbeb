import { type Condition, conditionOf, newCondition } from "./conditions.js";
import { type CachedDeployment, progressDeadlineSeconds } from "./deployment-strategy.js";

/** Pure: the condition that a Deployment gets when it is paused or resumed; undefined: it stays as it is. */
export function planPaused(deployment: CachedDeployment, now: number): Condition | undefined {
  if (progressDeadlineSeconds(deployment) === undefined) return undefined;
  const before = conditionOf(deployment.status?.conditions, "Progressing");
  // A rollout that failed stays so until it is changed.
  if (before?.reason === "ProgressDeadlineExceeded") return undefined;
  const [isPaused, wasPaused] = [deployment.spec?.paused === true, before?.reason === "DeploymentPaused"];
  if (isPaused === wasPaused) return undefined;
  const [reason, message] = isPaused
    ? ["DeploymentPaused", "Deployment is paused"]
    : ["DeploymentResumed", "Deployment is resumed"];
  return newCondition({ type: "Progressing", status: "Unknown", reason, message }, now);
}
