import type { DeepReadonly } from "@coxswain/api";
import { type FieldError, fieldPath, forbidden } from "@coxswain/apimachinery/field";
import { getOwn, ownEntries, ownKeys } from "@coxswain/apimachinery/own";
import { checkPodAnnotations, mirrorAnnotation } from "../../pod-spec/annotations/annotations.js";
import type { PodRules } from "../../pod-spec/pod-rules.js";
import { appArmorAnnotation } from "../../pod-spec/security/app-armor.js";
import type { StoredPod } from "./stored.js";

const path = fieldPath("metadata", "annotations");

/** Annotations that the node acted upon when it started the pod stay as they were. */
export function checkAnnotationUpdates(
  next: DeepReadonly<StoredPod>,
  old: DeepReadonly<StoredPod>,
  rules: PodRules,
): FieldError[] {
  const errors: FieldError[] = [];
  const { annotations } = next.metadata;
  for (const [key, value] of ownEntries(old.metadata.annotations)) {
    if (getOwn(annotations, key) === value) continue;
    if (key.startsWith(appArmorAnnotation))
      errors.push(forbidden(path.key(key), "may not remove or update AppArmor annotations"));
    if (key === mirrorAnnotation)
      errors.push(forbidden(path.key(key), "may not remove or update mirror pod annotation"));
  }
  for (const key of ownKeys(annotations)) {
    if (getOwn(old.metadata.annotations, key) !== undefined) continue;
    if (key.startsWith(appArmorAnnotation)) errors.push(forbidden(path.key(key), "may not add AppArmor annotations"));
    if (key === mirrorAnnotation) errors.push(forbidden(path.key(key), "may not add mirror pod annotation"));
  }
  return [...errors, ...checkPodAnnotations(annotations, path, { spec: next.spec, rules })];
}
