import type { DeepReadonly } from "@coxswain/api";
import { type FieldError, fieldPath, required } from "@coxswain/apimachinery/field";
import { validateObjectMeta, nameIsDnsSubdomain } from "@coxswain/apimachinery/validation";
import type { StoredPod } from "./kind.js";

/** Metadata and what a pod cannot be without; the rules of each member follow with the kinds. */
export function checkPod({ metadata, spec }: DeepReadonly<StoredPod>): FieldError[] {
  const errors = validateObjectMeta(metadata, { namespaced: true, path: fieldPath("metadata"), checkName: nameIsDnsSubdomain });
  const containers = spec.containers ?? [];
  if (containers.length === 0) errors.push(required(fieldPath("spec", "containers")));
  for (const [at, container] of containers.entries()) {
    const path = fieldPath("spec", "containers").index(at);
    if (!container.name) errors.push(required(path.child("name")));
    if (!container.image) errors.push(required(path.child("image")));
  }
  return errors;
}

export const checkPodUpdate = (next: DeepReadonly<StoredPod>): FieldError[] => checkPod(next);
