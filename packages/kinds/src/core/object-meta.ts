import { type FieldError, fieldPath, invalid } from "@coxswain/apimachinery/field";
import { type NameCheck, type ReadableMeta, validateObjectMeta, validateObjectMetaUpdate } from "@coxswain/apimachinery/validation";

/** Finalizers that need no domain before their name. */
const standardFinalizers = new Set(["kubernetes", "orphan", "foregroundDeletion"]);

export const isStandardFinalizer = (name: string): boolean => standardFinalizers.has(name);

/** What most kinds check of their metadata: beside the rules of all objects, a finalizer without a domain must be a known one. */
export function checkObjectMeta(metadata: ReadableMeta, rules: { readonly namespaced: boolean; readonly checkName: NameCheck }): FieldError[] {
  const path = fieldPath("metadata");
  const errors = validateObjectMeta(metadata, { ...rules, path });
  for (const [index, name] of (metadata.finalizers ?? []).entries()) {
    if (!name.includes("/") && !isStandardFinalizer(name)) errors.push(invalid(path.child("finalizers").index(index), name, "name is neither a standard finalizer name nor is it fully qualified"));
  }
  return errors;
}

/**
 * Upstream's kinds check the metadata of an update although the server has done so for all of them: each fault is a cause twice.
 */
export const checkObjectMetaUpdate = (next: ReadableMeta, old: ReadableMeta): FieldError[] => validateObjectMetaUpdate(next, old, fieldPath("metadata"));
