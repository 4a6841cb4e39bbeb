import type { MetricSpec } from "@coxswain/api/autoscaling/v2";

/** What is measured where nobody says. */
export const usualMetric = (): MetricSpec => ({
  type: "Resource",
  resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } },
});
