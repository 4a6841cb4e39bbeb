import { deleteOwn } from "@coxswain/apimachinery/own";
/** In which the first version keeps what it has no members for. */
export const annotations = {
  metrics: "autoscaling.alpha.kubernetes.io/metrics",
  currentMetrics: "autoscaling.alpha.kubernetes.io/current-metrics",
  conditions: "autoscaling.alpha.kubernetes.io/conditions",
  behavior: "autoscaling.alpha.kubernetes.io/behavior",
} as const;

const all = [
  ...Object.values(annotations),
  "autoscaling.alpha.kubernetes.io/scale-down-tolerance",
  "autoscaling.alpha.kubernetes.io/scale-up-tolerance",
];

interface Annotated {
  annotations?: Record<string, string>;
}

/** The second version has members for all of it, so it has no such annotations, even where a client writes them. */
export function dropVersionOneAnnotations(metadata: Annotated): void {
  if (!metadata.annotations) return;
  for (const name of all) deleteOwn(metadata.annotations, name);
}
