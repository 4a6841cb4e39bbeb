import type { DeepReadonly } from "@coxswain/api";
import type { PersistentVolumeClaimSpec, PersistentVolumeClaimStatus } from "@coxswain/api/core/v1";
import { append } from "@coxswain/apimachinery/append";
import {
  type FieldError,
  type FieldPath,
  fieldPath,
  forbidden,
  invalid,
  namedText,
  notSupported,
  required,
} from "@coxswain/apimachinery/field";
import { cloneJson, wasGivenEmpty } from "@coxswain/apimachinery/json";
import { getOwn, ownEntries, setOwn } from "@coxswain/apimachinery/own";
import { parseQuantity } from "@coxswain/apimachinery/quantity";
import { checkLabelKey, immutableMessage, validateLabelSelector } from "@coxswain/apimachinery/validation";
import { checkBasicAmount } from "../../checks/basic-amount.js";
import { formDifference } from "../../checks/form-difference.js";
import { checkImmutable } from "../../checks/immutable.js";
import { checkObjectMeta, checkObjectMetaUpdate } from "../../checks/object-meta.js";
import { checkQuantity } from "../../checks/quantity.js";
import { isNativeResource } from "../../pod-spec/resources/resource-names.js";
import { type ClaimRules, checkClaimSpec } from "../../pod-spec/volumes/claim-template.js";
import { storageClassAnnotation } from "../storage-class-annotation.js";
import { mirrorDataSources } from "./data-sources.js";
import type { StoredPersistentVolumeClaim } from "./stored.js";

type Claim = DeepReadonly<StoredPersistentVolumeClaim>;
type Spec = DeepReadonly<PersistentVolumeClaimSpec>;

const specPath = fieldPath("spec");

export const checkPersistentVolumeClaim = ({ metadata, spec }: Claim, rules: ClaimRules = {}): FieldError[] => [
  ...checkObjectMeta(metadata, { namespaced: true }),
  ...checkClaimSpec(spec, specPath, rules),
];

export function checkPersistentVolumeClaimUpdate(next: Claim, old: Claim): FieldError[] {
  const rules = {
    invalidSelectorValues: validateLabelSelector(old.spec.selector, undefined).length > 0,
    // What was stored may name a group that is none.
    invalidSourceGroups:
      typeof old.spec.dataSource?.apiGroup === "string" || typeof old.spec.dataSourceRef?.apiGroup === "string",
  };
  const errors = [...checkObjectMetaUpdate(next.metadata, old.metadata), ...checkPersistentVolumeClaim(next, rules)];
  const upgrades = upgradesAnnotation(next, old);
  const [oldClass = "", newClass = ""] = [annotatedClass(old), annotatedClass(next)];
  if (!upgrades && oldClass !== newClass)
    errors.push(invalid(fieldPath("metadata", "annotations", storageClassAnnotation), newClass, immutableMessage));
  const difference = formDifference("PersistentVolumeClaimSpec", ...comparable(next, old, upgrades));
  if (difference !== undefined)
    errors.push(
      forbidden(
        specPath,
        `spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n${difference}`,
      ),
    );
  append(errors, [
    ...checkSize(next, old),
    ...checkImmutable(
      next.spec.volumeMode,
      old.spec.volumeMode,
      fieldPath("volumeMode"),
      namedText(next.spec.volumeMode ?? ""),
    ),
  ]);
  return [...errors, ...checkAttributesClass(next, old)];
}

const annotatedClass = ({ metadata }: Claim): string | undefined =>
  getOwn(metadata.annotations, storageClassAnnotation);

/** The class may move from its old annotation into the field. */
function upgradesAnnotation(next: Claim, old: Claim): boolean {
  const before = annotatedClass(old);
  return (
    before !== undefined &&
    old.spec.storageClassName === undefined &&
    next.spec.storageClassName === before &&
    (annotatedClass(next) ?? before) === before
  );
}

/** Both specs without what may change: the volume that is found, a class that is chosen, and of a bound claim its size and attributes. */
function comparable(next: Claim, old: Claim, upgrades: boolean): [old: Spec, next: Spec] {
  const [before, after] = [
    cloneJson(old.spec) as PersistentVolumeClaimSpec,
    cloneJson(next.spec) as PersistentVolumeClaimSpec,
  ];
  mirrorDataSources(before);
  if (!before.volumeName && after.volumeName) before.volumeName = after.volumeName;
  const oldAnnotation = annotatedClass(old);
  const chosen =
    before.storageClassName === undefined &&
    after.storageClassName !== undefined &&
    (oldAnnotation ?? after.storageClassName) === after.storageClassName;
  if (upgrades || chosen) delete after.storageClassName;
  if (next.status.phase === "Bound") {
    if (after.resources && wasGivenEmpty(after.resources, "requests")) after.resources.requests = {};
    if (after.resources?.requests)
      setOwn(after.resources.requests, "storage", getOwn(before.resources?.requests, "storage") ?? "0");
    if (before.volumeAttributesClassName === undefined) delete after.volumeAttributesClassName;
    else after.volumeAttributesClassName = before.volumeAttributesClassName;
  }
  return [before, after];
}

const amount = (text: string | undefined) => parseQuantity(text ?? "0");

/** A claim may shrink again to anything above what its volume has. */
function checkSize(next: Claim, old: Claim): FieldError[] {
  const size = amount(getOwn(next.spec.resources?.requests, "storage"));
  if (size.compare(amount(getOwn(old.spec.resources?.requests, "storage"))) >= 0) return [];
  if (size.compare(amount(getOwn(old.status.capacity, "storage"))) > 0) return [];
  return [forbidden(specPath.child("resources", "requests", "storage"), "field can not be less than status.capacity")];
}

function checkAttributesClass({ spec }: Claim, old: Claim): FieldError[] {
  const { volumeAttributesClassName: name } = spec;
  if (
    name === old.spec.volumeAttributesClassName ||
    old.status.currentVolumeAttributesClassName === undefined ||
    (name !== undefined && name !== "")
  )
    return [];
  const why = `update to ${name === undefined ? "nil" : "empty string"} is forbidden when status.currentVolumeAttributesClassName is not nil`;
  return [forbidden(specPath.child("volumeAttributesClassName"), why)];
}

export function checkPersistentVolumeClaimStatus(next: Claim, old: Claim): FieldError[] {
  const errors = checkObjectMetaUpdate(next.metadata, old.metadata);
  if (!next.metadata.resourceVersion) errors.push(required(fieldPath("resourceVersion")));
  if ((next.spec.accessModes ?? []).length === 0) errors.push(required(fieldPath("Spec", "accessModes")));
  for (const [name, text] of ownEntries(next.status.capacity))
    append(errors, checkBasicAmount(parseQuantity(text), fieldPath("status", "capacity").key(name)));
  return [...errors, ...checkAllocation(next.status)];
}

const resizeStates = [
  "ControllerResizeInProgress",
  "ControllerResizeInfeasible",
  "NodeResizeInProgress",
  "NodeResizeInfeasible",
  "NodeResizePending",
].sort();

function checkAllocation({
  allocatedResourceStatuses,
  allocatedResources,
}: DeepReadonly<PersistentVolumeClaimStatus>): FieldError[] {
  const errors: FieldError[] = [];
  const states = fieldPath("status", "allocatedResourceStatuses");
  for (const [name, state] of ownEntries(allocatedResourceStatuses)) {
    append(errors, checkResourceKey(name, states));
    if (!resizeStates.includes(state)) errors.push(notSupported(states, namedText(name), resizeStates));
  }
  const amounts = fieldPath("status", "allocatedResources");
  for (const [name, text] of ownEntries(allocatedResources)) {
    const inKey = checkResourceKey(name, amounts);
    const inAmount = checkBasicAmount(parseQuantity(text), amounts.key(name));
    append(
      errors,
      inKey.length > 0 ? inKey : inAmount.length > 0 ? inAmount : checkQuantity(parseQuantity(text), amounts.key(name)),
    );
  }
  return errors;
}

function checkResourceKey(name: string, path: FieldPath): FieldError[] {
  const problems = checkLabelKey(name).map((problem) => invalid(path, name, problem));
  if (problems.length > 0) return problems;
  return isNativeResource(name) && name !== "storage" ? [notSupported(path, name, ["storage"])] : [];
}
