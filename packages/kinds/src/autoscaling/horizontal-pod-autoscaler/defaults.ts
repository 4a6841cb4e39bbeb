import type { HPAScalingRules } from "@coxswain/api/autoscaling/v2";
import { wasGivenEmpty } from "@coxswain/apimachinery/json";
import type { StoredHorizontalPodAutoscaler } from "./stored.js";
import { usualMetric } from "./usual-metric.js";
import { dropVersionOneAnnotations } from "./version-one/annotations.js";

export function setHorizontalPodAutoscalerDefaults({ metadata, spec }: StoredHorizontalPodAutoscaler): void {
  dropVersionOneAnnotations(metadata);
  spec.minReplicas ??= 1;
  if ((spec.metrics ?? []).length === 0) spec.metrics = [usualMetric()];
  const { behavior } = spec;
  if (!behavior) return;
  behavior.scaleUp = withUsual(behavior.scaleUp, usualScaleUp());
  behavior.scaleDown = withUsual(behavior.scaleDown, usualScaleDown());
}

/** No policies at all is a choice too, though a wrong one. */
function withUsual(rules: HPAScalingRules | undefined, usual: HPAScalingRules): HPAScalingRules {
  const all = { ...usual, ...rules };
  if (wasGivenEmpty(rules, "policies")) delete all.policies;
  return all;
}

const usualScaleUp = (): HPAScalingRules => ({
  stabilizationWindowSeconds: 0,
  selectPolicy: "Max",
  policies: [
    { type: "Pods", value: 4, periodSeconds: 15 },
    { type: "Percent", value: 100, periodSeconds: 15 },
  ],
});

/** Without a window, for which the controller has a setting. */
const usualScaleDown = (): HPAScalingRules => ({
  selectPolicy: "Max",
  policies: [{ type: "Percent", value: 100, periodSeconds: 15 }],
});
