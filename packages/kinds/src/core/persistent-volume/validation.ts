import type { DeepReadonly } from "@coxswain/api";
import type { PersistentVolumeSpec, VolumeNodeAffinity } from "@coxswain/api/core/v1";
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
import { asGiven, cloneJson, equalJson } from "@coxswain/apimachinery/json";
import { getOwn, ownEntries, ownKeys } from "@coxswain/apimachinery/own";
import { parseQuantity } from "@coxswain/apimachinery/quantity";
import { immutableMessage, nameIsDnsSubdomain } from "@coxswain/apimachinery/validation";
import { checkBasicAmount } from "../../checks/basic-amount.js";
import { checkOneOf, problemsAt } from "../../checks/field-errors.js";
import { formDifference } from "../../checks/form-difference.js";
import { checkImmutable } from "../../checks/immutable.js";
import { hasInvalidLabelValue } from "../../checks/label-selector.js";
import { checkObjectMeta, checkObjectMetaUpdate } from "../../checks/object-meta.js";
import { checkPositiveQuantity } from "../../checks/quantity.js";
import { internalValue } from "../../internal-form/internal-form.js";
import { checkNodeSelector } from "../../pod-spec/scheduling/node-affinity.js";
import { checkVolumeSource } from "./source-validation.js";
import type { StoredPersistentVolume } from "./stored.js";

type Volume = DeepReadonly<StoredPersistentVolume>;
type Spec = DeepReadonly<PersistentVolumeSpec>;

const specPath = fieldPath("spec");
const accessModes = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];
const mountOptions = "volume.beta.kubernetes.io/mount-options";
const mountable = [
  "gcePersistentDisk",
  "awsElasticBlockStore",
  "glusterfs",
  "nfs",
  "rbd",
  "quobyte",
  "iscsi",
  "cinder",
  "cephfs",
  "azureFile",
  "vsphereVolume",
  "azureDisk",
  "photonPersistentDisk",
] as const;

export const checkPersistentVolume = (volume: Volume, old: Volume | undefined): FieldError[] => [
  ...checkAlways(volume, old),
  ...checkMountOptions(volume),
];

/** Upstream validates the whole volume twice on update, and so each fault is a cause twice. */
export function checkPersistentVolumeUpdate(next: Volume, old: Volume): FieldError[] {
  const errors = [...checkPersistentVolume(next, old), ...checkAlways(next, old)];
  const difference = formDifference("PersistentVolumeSource", old.spec, withoutNewSecret(next.spec, old.spec));
  if (difference !== undefined)
    errors.push(
      forbidden(
        specPath.child("persistentvolumesource"),
        `spec.persistentvolumesource is immutable after creation\n${difference}`,
      ),
    );
  append(
    errors,
    checkImmutable(
      next.spec.volumeMode,
      old.spec.volumeMode,
      fieldPath("volumeMode"),
      namedText(next.spec.volumeMode ?? ""),
    ),
  );
  append(errors, checkAffinityStays(next.spec.nodeAffinity, old.spec.nodeAffinity));
  if (old.spec.volumeAttributesClassName !== undefined && next.spec.volumeAttributesClassName === undefined) {
    errors.push(
      forbidden(specPath.child("volumeAttributesClassName"), "update from non-nil value to nil is forbidden"),
    );
  }
  return errors;
}

/** A secret for expansion may be added later. */
function withoutNewSecret(next: Spec, old: Spec): Spec {
  if (!old.csi || old.csi.controllerExpandSecretRef || !next.csi?.controllerExpandSecretRef) return next;
  const { controllerExpandSecretRef: _added, ...csi } = next.csi;
  return { ...next, csi };
}

const checkAlways = ({ metadata, spec }: Volume, old: Volume | undefined): FieldError[] => [
  ...checkObjectMeta(metadata, { namespaced: false }),
  ...checkPersistentVolumeSpec(spec, specPath, { name: metadata.name ?? "", old: old?.spec }),
];

export interface VolumeSpecOptions {
  readonly name: string;
  /** What is stored now; none on create. */
  readonly old?: Spec | undefined;
  /** Part of an attachment, where it stands for a volume that there is no object of. */
  readonly inline?: boolean;
}

export function checkPersistentVolumeSpec(
  spec: Spec,
  path: FieldPath,
  { name, old, inline = false }: VolumeSpecOptions,
): FieldError[] {
  const errors = [
    ...(inline ? checkInline(spec, path) : []),
    ...checkAccessModes(spec.accessModes ?? [], path.child("accessModes")),
  ];
  if (!inline) append(errors, checkCapacity(spec, path.child("capacity")));
  append(errors, checkReclaimPolicy(spec, path.child("persistentVolumeReclaimPolicy"), inline));
  if (spec.nodeAffinity)
    append(
      errors,
      inline
        ? [notInline(path.child("nodeAffinity"))]
        : checkAffinity(spec.nodeAffinity, path.child("nodeAffinity"), old?.nodeAffinity),
    );
  append(errors, checkVolumeSource(spec, path, { name, hasAffinity: spec.nodeAffinity !== undefined && !inline }));
  if (spec.persistentVolumeReclaimPolicy === "Recycle" && spec.hostPath && cleanPath(spec.hostPath.path) === "/") {
    errors.push(
      forbidden(path.child("persistentVolumeReclaimPolicy"), "may not be 'recycle' for a hostPath mount of '/'"),
    );
  }
  return [...errors, ...checkClasses(spec, path, inline)];
}

const notInline = (path: FieldPath): FieldError =>
  forbidden(path, "may not be specified in the context of inline volumes");

function checkInline({ claimRef, capacity, csi }: Spec, path: FieldPath): FieldError[] {
  return [
    ...(claimRef ? [notInline(path.child("claimRef"))] : []),
    ...(ownKeys(capacity).length > 0 ? [notInline(path.child("capacity"))] : []),
    ...(csi ? [] : [required(path.child("csi"), "has to be specified in the context of inline volumes")]),
  ];
}

function checkReclaimPolicy(
  { persistentVolumeReclaimPolicy: policy }: Spec,
  path: FieldPath,
  inline: boolean,
): readonly FieldError[] {
  if (!policy) return [];
  if (!inline) return checkOneOf(policy, ["Delete", "Recycle", "Retain"], path);
  return policy === "Retain" ? [] : [forbidden(path, "may only be Retain in the context of inline volumes")];
}

function checkClasses(spec: Spec, path: FieldPath, inline: boolean): FieldError[] {
  const { storageClassName = "", volumeMode, volumeAttributesClassName: attributes } = spec;
  const errors: FieldError[] = [];
  if (storageClassName !== "")
    append(
      errors,
      inline
        ? [notInline(path.child("storageClassName"))]
        : problemsAt(path.child("storageClassName"), storageClassName, nameIsDnsSubdomain(storageClassName)),
    );
  if (volumeMode !== undefined && !inline)
    append(errors, checkOneOf(volumeMode, ["Block", "Filesystem"], path.child("volumeMode")));
  else if (volumeMode !== undefined && volumeMode !== "Filesystem")
    errors.push(
      forbidden(
        path.child("volumeMode"),
        "may not specify volumeMode other than Filesystem in the context of inline volumes",
      ),
    );
  if (attributes === undefined || inline) return errors;
  const at = path.child("volumeAttributesClassName");
  append(
    errors,
    attributes === ""
      ? [required(at, "an empty string is disallowed")]
      : problemsAt(at, attributes, nameIsDnsSubdomain(attributes)),
  );
  if (!spec.csi) errors.push(required(path.child("csi"), "has to be specified when using volumeAttributesClassName"));
  return errors;
}

function checkAccessModes(modes: readonly string[], path: FieldPath): FieldError[] {
  if (modes.length === 0) return [required(path)];
  const errors = modes.flatMap((mode) => checkOneOf(mode, accessModes, path));
  const alone =
    modes.includes("ReadWriteOncePod") &&
    modes.some((mode) => mode !== "ReadWriteOncePod" && accessModes.includes(mode));
  return alone ? [...errors, forbidden(path, "may not use ReadWriteOncePod with other access modes")] : errors;
}

function checkCapacity(spec: Spec, path: FieldPath): FieldError[] {
  const { capacity } = spec;
  const errors = ownKeys(capacity).length === 0 ? [required(path)] : [];
  if (getOwn(capacity, "storage") === undefined || ownKeys(capacity).length > 1)
    errors.push(notSupported(path, asGiven(spec, "capacity", {}), ["storage"]));
  return [
    ...errors,
    ...ownEntries(capacity).flatMap(([name, text]) => [
      ...checkBasicAmount(parseQuantity(text), path.key(name)),
      ...checkPositiveQuantity(parseQuantity(text), path.key(name)),
    ]),
  ];
}

type Affinity = DeepReadonly<VolumeNodeAffinity>;

function checkAffinity({ required: selector }: Affinity, path: FieldPath, old: Affinity | undefined): FieldError[] {
  if (!selector) return [required(path.child("required"), "must specify required node constraints")];
  return checkNodeSelector(selector, path.child("required"), {
    invalidValues: old?.required?.nodeSelectorTerms?.some(hasInvalidLabelValue) ?? false,
  });
}

/** Labels that were beta once, with the names they have now. */
const labelOfToday: ReadonlyMap<string, string> = new Map([
  ["failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone"],
  ["failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region"],
  ["beta.kubernetes.io/os", "kubernetes.io/os"],
  ["beta.kubernetes.io/arch", "kubernetes.io/arch"],
  ["beta.kubernetes.io/instance-type", "node.kubernetes.io/instance-type"],
]);

/** It may not change, but for an old label that gets its name of today. */
function checkAffinityStays(next: Affinity | undefined, old: Affinity | undefined): FieldError[] {
  if (!old || equalJson(next, withLabelsOf(next, old))) return [];
  return [
    invalid(
      fieldPath("nodeAffinity"),
      next ? internalValue("VolumeNodeAffinity", next) : null,
      `${immutableMessage}, except for updating from beta label to GA`,
    ),
  ];
}

/** The old constraints, each old label under the name that the new ones have in its place if that is its name of today. */
function withLabelsOf(next: Affinity | undefined, old: Affinity): Affinity {
  const renamed = cloneJson(old) as VolumeNodeAffinity;
  for (const [at, term] of (renamed.required?.nodeSelectorTerms ?? []).entries()) {
    for (const member of ["matchExpressions", "matchFields"] as const) {
      for (const [i, expression] of (term[member] ?? []).entries()) {
        const key = next?.required?.nodeSelectorTerms?.[at]?.[member]?.[i]?.key;
        if (key !== undefined && labelOfToday.get(expression.key) === key) expression.key = key;
      }
    }
  }
  return renamed;
}

const checkMountOptions = ({ metadata, spec }: Volume): FieldError[] =>
  mountable.some((member) => spec[member]) || getOwn(metadata.annotations, mountOptions) === undefined
    ? []
    : [
        forbidden(
          fieldPath("metadata", "annotations", mountOptions),
          "may not specify mount options for this volume type",
        ),
      ];

/** The path without empty parts and dots, as far as it is needed to find the root. */
function cleanPath(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `${path.startsWith("/") ? "/" : ""}${parts.join("/")}`;
}

export function checkPersistentVolumeStatus(next: Volume, old: Volume): FieldError[] {
  const errors = checkObjectMetaUpdate(next.metadata, old.metadata);
  if (!next.metadata.resourceVersion) errors.push(required(fieldPath("resourceVersion")));
  return errors;
}
