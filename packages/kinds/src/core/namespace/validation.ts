import type { DeepReadonly } from "@coxswain/api";
import { type FieldError, type FieldPath, fieldPath, invalid, namedText } from "@coxswain/apimachinery/field";
import { checkNamespaceName, validateFinalizers } from "@coxswain/apimachinery/validation";
import { checkFinalizerIsKnown, checkObjectMeta, checkObjectMetaUpdate } from "../../checks/object-meta.js";
import type { StoredNamespace } from "./stored.js";

type ReadNamespace = DeepReadonly<StoredNamespace>;

const finalizersPath = fieldPath("spec", "finalizers");

export function checkNamespace({ metadata, spec }: ReadNamespace): FieldError[] {
  const errors = checkObjectMeta(metadata, { namespaced: false, checkName: checkNamespaceName });
  return [...errors, ...(spec.finalizers ?? []).flatMap((name) => checkFinalizer(name, finalizersPath))];
}

export const checkNamespaceUpdate = (next: ReadNamespace, old: ReadNamespace): FieldError[] => [
  ...checkNamespace(next),
  ...checkObjectMetaUpdate(next.metadata, old.metadata),
];

export function checkNamespaceStatus(next: ReadNamespace, old: ReadNamespace): FieldError[] {
  const errors = checkObjectMetaUpdate(next.metadata, old.metadata);
  const { phase = "Active" } = next.status;
  const wanted = next.metadata.deletionTimestamp ? "Terminating" : "Active";
  if (phase !== wanted)
    errors.push(
      invalid(
        fieldPath("status", "Phase"),
        namedText(phase),
        `may only be '${wanted}' if \`deletionTimestamp\` is ${wanted === "Active" ? "empty" : "not empty"}`,
      ),
    );
  return errors;
}

export const checkNamespaceFinalize = (next: ReadNamespace, old: ReadNamespace): FieldError[] => [
  ...checkObjectMetaUpdate(next.metadata, old.metadata),
  ...(next.spec.finalizers ?? []).flatMap((name, at) => checkFinalizer(name, finalizersPath.index(at))),
];

const checkFinalizer = (name: string, path: FieldPath): FieldError[] => [
  ...validateFinalizers([name], path),
  ...checkFinalizerIsKnown(name, path),
];
