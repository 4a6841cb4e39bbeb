import type { DeepReadonly } from "@coxswain/api";
import type { PodSpec } from "@coxswain/api/core/v1";
import { append } from "@coxswain/apimachinery/append";
import { type FieldError, type FieldPath, invalid } from "@coxswain/apimachinery/field";
import { getOwn } from "@coxswain/apimachinery/own";
import type { PodRules } from "../pod-rules.js";
import { checkAppArmorAnnotations } from "../security/app-armor.js";
import { checkSeccompAnnotations } from "../security/seccomp.js";
import { deletionCostAnnotation, deletionCostIsValid } from "./deletion-cost.js";
import { checkTolerationsAnnotation } from "./tolerations-annotation.js";

/** Carried by the API's image of a pod that its node started from a file. */
export const mirrorAnnotation = "kubernetes.io/config.mirror";

type Annotations = Readonly<Record<string, string>> | undefined;

/** The annotations that mean something for a pod. */
export function checkPodAnnotations(
  annotations: Annotations,
  path: FieldPath,
  { spec, rules }: { spec: DeepReadonly<PodSpec>; rules: PodRules },
): FieldError[] {
  if (annotations === undefined) return [];
  const errors: FieldError[] = [];
  const mirror = getOwn(annotations, mirrorAnnotation);
  if (mirror !== undefined && !spec.nodeName)
    errors.push(invalid(path.key(mirrorAnnotation), mirror, "must set spec.nodeName if mirror pod annotation is set"));
  append(errors, checkTolerationsAnnotation(annotations, path, rules));
  if (!rules.invalidDeletionCost && !deletionCostIsValid(annotations)) {
    errors.push(
      invalid(path.key(deletionCostAnnotation), getOwn(annotations, deletionCostAnnotation), "must be a 32bit integer"),
    );
  }
  return [
    ...errors,
    ...checkSeccompAnnotations(annotations, path),
    ...checkAppArmorAnnotations(annotations, spec, path),
  ];
}
