import type { MetricSpec } from "@coxswain/api/autoscaling/v2";

/** The metric of an autoscaler that names none. */
export const usualMetric = (): MetricSpec => ({
  type: "Resource",
  resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } },
});
