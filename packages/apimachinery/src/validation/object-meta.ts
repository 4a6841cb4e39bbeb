import { append } from "../append/index.js";
import {
  type FieldError,
  type FieldPath,
  forbidden,
  goJson,
  invalid,
  namedText,
  quoteGo,
  required,
  tooLong,
  Verbatim,
} from "../field/index.js";
import { formatGroupVersionKind, parseGroupVersion } from "../meta/group-version.js";
import type { ObjectMeta, OwnerReference } from "../meta/object-meta.js";
import { ownEntries } from "../own/index.js";
import { compareUtf8, utf8Length } from "../text/utf8-order.js";
import { checkLabelKey, checkLabelValue } from "./labels.js";
import { validateManagedFields } from "./managed-fields.js";
import { checkNamespaceName, type NameCheck } from "./names.js";

/** Upstream's error for a changed field that may not change. */
export const immutableMessage = "field is immutable";
export const annotationsMaxBytes = 256 * 1024;

/** The finalizers of garbage collection, which exclude each other. */
const orphanDependents = "orphan";
const deleteDependents = "foregroundDeletion";

type StringMap = Readonly<Record<string, string>> | undefined;

/** Objects of the cache are readonly all through. */
export type ReadableMeta = {
  readonly [K in keyof ObjectMeta]: ObjectMeta[K] extends readonly (infer T)[] | undefined
    ? readonly Readonly<T>[]
    : Readonly<ObjectMeta[K]>;
};

export interface ObjectMetaRules {
  readonly namespaced: boolean;
  readonly checkName: NameCheck;
  readonly path: FieldPath;
}

/** The metadata of a new object, after a name was generated. */
export function validateObjectMeta(meta: ReadableMeta, { namespaced, checkName, path }: ObjectMetaRules): FieldError[] {
  const errors: FieldError[] = [];
  const { name = "", generateName = "", namespace = "", generation = 0 } = meta;
  if (generateName !== "")
    for (const problem of checkName(generateName, true))
      errors.push(invalid(path.child("generateName"), generateName, problem));
  if (name === "") errors.push(required(path.child("name"), "name or generateName is required"));
  else for (const problem of checkName(name, false)) errors.push(invalid(path.child("name"), name, problem));
  if (!namespaced) {
    if (namespace !== "") errors.push(forbidden(path.child("namespace"), "not allowed on this type"));
  } else if (namespace === "") errors.push(required(path.child("namespace")));
  else
    for (const problem of checkNamespaceName(namespace))
      errors.push(invalid(path.child("namespace"), namespace, problem));
  if (generation !== 0) append(errors, validateNonnegative(generation, path.child("generation")));
  if (meta.labels) append(errors, validateLabels(meta.labels, path.child("labels")));
  if (meta.annotations) append(errors, validateAnnotations(meta.annotations, path.child("annotations")));
  if (meta.ownerReferences)
    append(errors, validateOwnerReferences(meta.ownerReferences, path.child("ownerReferences")));
  if (meta.finalizers) append(errors, validateFinalizers(meta.finalizers, path.child("finalizers")));
  if (meta.managedFields) append(errors, validateManagedFields(meta.managedFields, path.child("managedFields")));
  return errors;
}

/** The metadata of an update, against that of the stored object. */
export function validateObjectMetaUpdate(next: ReadableMeta, old: ReadableMeta, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (old.deletionTimestamp !== undefined)
    append(errors, validateNoNewFinalizers(next.finalizers ?? [], old.finalizers ?? [], path.child("finalizers")));
  if (!next.resourceVersion) errors.push(invalid(path.child("resourceVersion"), "", "must be specified for an update"));
  if ((next.generation ?? 0) < (old.generation ?? 0))
    errors.push(invalid(path.child("generation"), next.generation ?? 0, "must not be decremented"));
  for (const member of ["name", "namespace"] as const) {
    if ((next[member] ?? "") !== (old[member] ?? ""))
      errors.push(invalid(path.child(member), next[member] ?? "", immutableMessage));
  }
  if ((next.uid ?? "") !== (old.uid ?? ""))
    errors.push(invalid(path.child("uid"), namedText(next.uid ?? ""), immutableMessage));
  for (const member of ["creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds"] as const) {
    // These are pointers or times in Go, which print as JSON: null when there is none.
    if ((next[member] ?? null) !== (old[member] ?? null))
      errors.push(invalid(path.child(member), new Verbatim(goJson(next[member])), immutableMessage));
  }
  if (next.labels) append(errors, validateLabels(next.labels, path.child("labels")));
  if (next.annotations) append(errors, validateAnnotations(next.annotations, path.child("annotations")));
  if (next.ownerReferences)
    append(errors, validateOwnerReferences(next.ownerReferences, path.child("ownerReferences")));
  if (next.managedFields) append(errors, validateManagedFields(next.managedFields, path.child("managedFields")));
  return errors;
}

export const validateNonnegative = (value: number, path: FieldPath | undefined): FieldError[] =>
  value < 0 ? [{ ...invalid(path, value, "must be greater than or equal to 0"), origin: "minimum" }] : [];

export const validateLabelName = (key: string, path: FieldPath | undefined): FieldError[] =>
  checkLabelKey(key).map((problem) => ({ ...invalid(path, key, problem), origin: "format=k8s-label-key" }));

export function validateLabels(labels: StringMap, path: FieldPath | undefined): FieldError[] {
  const errors: FieldError[] = [];
  for (const [key, value] of ownEntries(labels)) {
    for (const problem of checkLabelKey(key))
      errors.push({ ...invalid(path, key, problem), origin: "format=k8s-label-key" });
    for (const problem of checkLabelValue(value))
      errors.push({ ...invalid(path, value, problem), origin: "format=k8s-label-value" });
  }
  return errors;
}

/** Keys are label keys in any case; together they hold at most 256 KiB. */
export function validateAnnotations(annotations: StringMap, path: FieldPath | undefined): FieldError[] {
  const errors: FieldError[] = [];
  let size = 0;
  for (const [key, value] of ownEntries(annotations)) {
    size += utf8Length(key) + utf8Length(value);
    for (const problem of checkLabelKey(key.toLowerCase()))
      errors.push({ ...invalid(path, key, problem), origin: "format=k8s-label-key" });
  }
  if (size > annotationsMaxBytes) errors.push(tooLong(path, annotationsMaxBytes));
  return errors;
}

export function validateOwnerReferences(
  references: readonly Readonly<OwnerReference>[],
  path: FieldPath | undefined,
): FieldError[] {
  const errors: FieldError[] = [];
  let controller: string | undefined;
  for (const reference of references) {
    append(errors, validateOwnerReference(reference, path));
    if (reference.controller !== true) continue;
    const name = `${reference.kind}/${reference.name}`;
    if (controller === undefined) controller = name;
    else
      errors.push(
        invalid(
          path,
          references,
          `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${name}`,
        ),
      );
  }
  return errors;
}

function validateOwnerReference(reference: Readonly<OwnerReference>, path: FieldPath | undefined): FieldError[] {
  const errors: FieldError[] = [];
  const { group, version } = parseGroupVersion(reference.apiVersion) ?? { group: "", version: "" };
  const gvk = { group, version, kind: reference.kind };
  if (version === "")
    errors.push(invalid(path?.child("apiVersion"), reference.apiVersion, "version must not be empty"));
  if (reference.kind === "") errors.push(invalid(path?.child("kind"), "", "must not be empty"));
  if (reference.name === "") errors.push(invalid(path?.child("name"), "", "must not be empty"));
  if (reference.uid === "") errors.push(invalid(path?.child("uid"), "", "must not be empty"));
  if (group === "" && version === "v1" && gvk.kind === "Event") {
    errors.push(invalid(path, reference, `${formatGroupVersionKind(gvk)} is disallowed from being an owner`));
  }
  return errors;
}

export function validateFinalizers(finalizers: readonly string[], path: FieldPath | undefined): FieldError[] {
  const errors = finalizers.flatMap((finalizer) =>
    checkLabelKey(finalizer).map((problem) => invalid(path, finalizer, problem)),
  );
  if (finalizers.includes(orphanDependents) && finalizers.includes(deleteDependents)) {
    errors.push(invalid(path, finalizers, `finalizer ${orphanDependents} and ${deleteDependents} cannot be both set`));
  }
  return errors;
}

/** An object that is being deleted may lose finalizers, not gain them. */
export function validateNoNewFinalizers(
  next: readonly string[],
  old: readonly string[],
  path: FieldPath | undefined,
): FieldError[] {
  const added = [...new Set(next)].filter((finalizer) => !old.includes(finalizer)).sort(compareUtf8);
  if (added.length === 0) return [];
  const list = `[]string{${added.map(quoteGo).join(", ")}}`;
  return [
    forbidden(path, `no new finalizers can be added if the object is being deleted, found new finalizers ${list}`),
  ];
}
