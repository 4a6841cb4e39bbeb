import type { DeepReadonly } from "@coxswain/api";
import type { JobSpec } from "@coxswain/api/batch/v1";
import type { FieldPath } from "@coxswain/apimachinery/field";
import { podTemplateWarnings } from "../../pod-spec/warnings/warnings.js";

export function jobSpecWarnings(
  { completionMode, completions = 0, parallelism = 0, template }: DeepReadonly<JobSpec>,
  path: FieldPath,
): string[] {
  const isHuge = completionMode === "Indexed" && completions > 100_000 && parallelism > 10_000;
  const why =
    "In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail";
  return [...(isHuge ? [`${path}: ${why}`] : []), ...podTemplateWarnings(template, path.child("template"))];
}
