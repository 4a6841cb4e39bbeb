import type { DeepReadonly } from "@coxswain/api";
import { type FieldError, fieldPath, invalid } from "@coxswain/apimachinery/field";
import { validateFinalizers, checkNamespaceName, validateObjectMeta } from "@coxswain/apimachinery/validation";
import type { StoredNamespace } from "./kind.js";

/** Finalizers that need no domain before their name. */
const standardFinalizers = new Set(["kubernetes", "orphan", "foregroundDeletion"]);

export function checkNamespace({ metadata, spec }: DeepReadonly<StoredNamespace>): FieldError[] {
  const errors = validateObjectMeta(metadata, { namespaced: false, path: fieldPath("metadata"), checkName: checkNamespaceName });
  const path = fieldPath("spec", "finalizers");
  for (const name of spec.finalizers ?? []) {
    errors.push(...validateFinalizers([name], path));
    if (!name.includes("/") && !standardFinalizers.has(name)) errors.push(invalid(path, name, "name is neither a standard finalizer name nor is it fully qualified"));
  }
  return errors;
}

export function checkNamespaceStatus({ metadata, status }: DeepReadonly<StoredNamespace>): FieldError[] {
  const path = fieldPath("status", "Phase");
  const phase = status.phase ?? "";
  if (!metadata.deletionTimestamp) return phase === "Active" ? [] : [invalid(path, phase, "may only be 'Active' if `deletionTimestamp` is empty")];
  return phase === "Terminating" ? [] : [invalid(path, phase, "may only be 'Terminating' if `deletionTimestamp` is not empty")];
}
