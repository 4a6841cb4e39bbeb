import type { DeepReadonly } from "@coxswain/api";
import type { PodTemplateSpec } from "@coxswain/api/core/v1";
import { type FieldError, type FieldPath, forbidden } from "@coxswain/apimachinery/field";
import { validateAnnotations, validateLabels } from "@coxswain/apimachinery/validation";
import { checkPodAnnotations } from "./annotations/annotations.js";
import type { PodRules } from "./pod-rules.js";
import { checkAppArmorAgrees } from "./security/app-armor.js";
import { checkSeccompAgrees } from "./security/seccomp.js";
import { checkPodSpec } from "./validation.js";

/** The template that a workload makes pods from. Of its metadata only labels and annotations count. */
export function checkPodTemplateSpec(
  { metadata = {}, spec = { containers: [] } }: DeepReadonly<PodTemplateSpec>,
  path: FieldPath,
  rules: PodRules,
): FieldError[] {
  const { labels, annotations } = metadata;
  const specPath = path.child("spec");
  const errors = [
    ...validateLabels(labels, path.child("labels")),
    ...validateAnnotations(annotations, path.child("annotations")),
    ...checkPodAnnotations(annotations, path.child("annotations"), { spec, rules }),
    ...checkPodSpec(spec, { path: specPath, rules }),
    ...checkSeccompAgrees(annotations, spec, specPath),
    ...checkAppArmorAgrees(annotations, spec, specPath),
  ];
  if (spec.ephemeralContainers?.length)
    errors.push(forbidden(specPath.child("ephemeralContainers"), "ephemeral containers not allowed in pod template"));
  return errors;
}
