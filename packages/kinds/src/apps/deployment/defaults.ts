import { getOwn } from "@coxswain/apimachinery/own";
import { dropAnnotation } from "../../definition/number-annotation.js";
import type { StoredDeployment } from "./stored.js";

/** Of a feature that is long gone: a revision to go back to. */
export const rollbackAnnotation = "deprecated.deployment.rollback.to";

export function setDeploymentDefaults({ metadata, spec }: StoredDeployment): void {
  spec.replicas ??= 1;
  const strategy = (spec.strategy ??= {});
  strategy.type ||= "RollingUpdate";
  const rolls = strategy.type === "RollingUpdate";
  if (rolls) strategy.rollingUpdate ??= {};
  if (strategy.rollingUpdate) {
    strategy.rollingUpdate.maxUnavailable ??= rolls ? "25%" : 0;
    strategy.rollingUpdate.maxSurge ??= rolls ? "25%" : 0;
  }
  spec.revisionHistoryLimit ??= 10;
  spec.progressDeadlineSeconds ??= 600;
  if (getOwn(metadata.annotations, rollbackAnnotation) === "") dropAnnotation(metadata, rollbackAnnotation);
}
