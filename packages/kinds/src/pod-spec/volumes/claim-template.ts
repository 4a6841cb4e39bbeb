import type { DeepReadonly } from "@coxswain/api";
import type {
  PersistentVolumeClaimSpec,
  PersistentVolumeClaimTemplate,
  TypedLocalObjectReference,
  TypedObjectReference,
} from "@coxswain/api/core/v1";
import type { ObjectMeta } from "@coxswain/api/meta/v1";
import { append } from "@coxswain/apimachinery/append";
import { type FieldError, type FieldPath, forbidden, invalid, required } from "@coxswain/apimachinery/field";
import { wasGivenEmpty } from "@coxswain/apimachinery/json";
import { getOwn } from "@coxswain/apimachinery/own";
import { parseQuantity } from "@coxswain/apimachinery/quantity";
import {
  checkDnsSubdomain,
  checkNamespaceName,
  nameIsDnsSubdomain,
  validateAnnotations,
  validateLabelSelector,
  validateLabels,
} from "@coxswain/apimachinery/validation";
import { checkOneOf, checkPresent, problemsAt } from "../../checks/field-errors.js";

const accessModes = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];
/** In the order of Go's ObjectMeta; of all these a template may set none. */
const otherMetadata = [
  "name",
  "generateName",
  "namespace",
  "selfLink",
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "ownerReferences",
  "finalizers",
  "managedFields",
] as const;
/** Go's name of a member with a small first letter, where that is not the JSON name. */
const printedAs: Readonly<Record<string, string>> = { uid: "uID" };

export function checkClaimTemplate(
  { metadata = {}, spec }: DeepReadonly<PersistentVolumeClaimTemplate>,
  path: FieldPath,
): FieldError[] {
  return [...checkTemplateMetadata(metadata, path.child("metadata")), ...checkClaimSpec(spec, path.child("spec"))];
}

/** The metadata that objects made from a template get. */
export function checkTemplateMetadata(metadata: DeepReadonly<ObjectMeta>, path: FieldPath): FieldError[] {
  const errors = [
    ...validateAnnotations(metadata.annotations, path.child("annotations")),
    ...validateLabels(metadata.labels, path.child("labels")),
  ];
  // By reflect.DeepEqual, to which an empty list is not none (pkg/apis/core/validation, validateFieldAllowList).
  for (const member of otherMetadata)
    if (metadata[member] !== undefined || wasGivenEmpty(metadata, member))
      errors.push(forbidden(path.child(printedAs[member] ?? member), "cannot be set"));
  return errors;
}

export interface ClaimRules {
  /** The stored claim has such values already. */
  readonly invalidSelectorValues?: boolean;
  readonly invalidSourceGroups?: boolean;
}

export function checkClaimSpec(
  spec: DeepReadonly<PersistentVolumeClaimSpec>,
  path: FieldPath,
  rules: ClaimRules = {},
): FieldError[] {
  const {
    accessModes: modes = [],
    selector,
    resources,
    storageClassName = "",
    volumeMode,
    dataSource,
    dataSourceRef,
    volumeAttributesClassName = "",
  } = spec;
  const errors: FieldError[] = [];
  if (modes.length === 0) errors.push(required(path.child("accessModes"), "at least 1 access mode is required"));
  append(
    errors,
    validateLabelSelector(selector, path.child("selector"), {
      allowInvalidValues: rules.invalidSelectorValues === true,
    }),
  );
  for (const mode of modes) append(errors, checkOneOf(mode, accessModes, path.child("accessModes")));
  if (
    modes.includes("ReadWriteOncePod") &&
    modes.some((mode) => mode !== "ReadWriteOncePod" && accessModes.includes(mode))
  ) {
    errors.push(forbidden(path.child("accessModes"), "may not use ReadWriteOncePod with other access modes"));
  }
  append(errors, checkStorage(getOwn(resources?.requests, "storage"), path.child("resources").key("storage")));
  if (storageClassName !== "")
    append(errors, problemsAt(path.child("storageClassName"), storageClassName, nameIsDnsSubdomain(storageClassName)));
  if (volumeMode !== undefined)
    append(errors, checkOneOf(volumeMode, ["Block", "Filesystem"], path.child("volumeMode")));
  if (dataSource) append(errors, checkDataSource(dataSource, path.child("dataSource"), rules));
  if (dataSourceRef) append(errors, checkDataSource(dataSourceRef, path.child("dataSourceRef"), rules));
  append(errors, checkSourcesAgree(dataSource, dataSourceRef, path));
  if (volumeAttributesClassName !== "") {
    append(
      errors,
      problemsAt(
        path.child("volumeAttributesClassName"),
        volumeAttributesClassName,
        nameIsDnsSubdomain(volumeAttributesClassName),
      ),
    );
  }
  return errors;
}

function checkStorage(storage: string | undefined, path: FieldPath): FieldError[] {
  if (storage === undefined) return [required(path)];
  return parseQuantity(storage).sign > 0 ? [] : [invalid(path, storage, "must be greater than zero")];
}

type Source = DeepReadonly<TypedLocalObjectReference> | DeepReadonly<TypedObjectReference>;

function checkDataSource(source: Source, path: FieldPath, rules: ClaimRules): FieldError[] {
  const { name, kind } = source;
  // It is never left out: none is null.
  const apiGroup = source.apiGroup ?? "";
  const errors = [...checkPresent(name, path, "name"), ...checkPresent(kind, path, "kind")];
  if (apiGroup === "" && kind !== "PersistentVolumeClaim") {
    errors.push(invalid(path, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup"));
  }
  if (apiGroup !== "" && !rules.invalidSourceGroups)
    append(errors, problemsAt(path.child("apiGroup"), apiGroup, checkDnsSubdomain(apiGroup)));
  const namespace = ("namespace" in source ? source.namespace : undefined) ?? "";
  if (namespace !== "") append(errors, problemsAt(path.child("namespace"), namespace, checkNamespaceName(namespace)));
  return errors;
}

/** The value shown is a path object of Go's, which prints as an empty object. */
function checkSourcesAgree(
  source: DeepReadonly<TypedLocalObjectReference> | undefined,
  ref: DeepReadonly<TypedObjectReference> | undefined,
  path: FieldPath,
): FieldError[] {
  if (!source || !ref) return [];
  if (ref.namespace) return [invalid(path, {}, "may not be specified when dataSourceRef.namespace is specified")];
  const same = source.apiGroup === ref.apiGroup && source.kind === ref.kind && source.name === ref.name;
  return same ? [] : [invalid(path, {}, "must match dataSourceRef")];
}
