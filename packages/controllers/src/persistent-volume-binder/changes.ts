import type { PersistentVolume, PersistentVolumeClaim } from "@coxswain/api/core/v1";
import { equalJson } from "@coxswain/apimachinery/json";
import { deleteOwn, getOwn, setOwn } from "@coxswain/apimachinery/own";
import { canonicalQuantity, parseQuantity } from "@coxswain/apimachinery/quantity";
import { referenceOf } from "../pods/pod-control.js";
import {
  betaStorageProvisioner,
  bindCompleted,
  boundByController,
  externalDeletionFinalizer,
  inTreeDeletionFinalizer,
  migratedTo,
  preResizeCapacity,
  provisionedBy,
  storageProvisioner,
} from "../volumes/annotations.js";
import { type CachedClaim, type CachedVolume, claimKind } from "../volumes/cached-volumes.js";
import { migratedDriver } from "../volumes/csi-migration.js";
import { isBoundTo } from "./match-volume.js";

// Pure: objects as they should be. Undefined: they are so already.

type Annotated = { metadata?: { annotations?: Record<string, string> } };

/** With some annotations, without those that are undefined. */
export function withAnnotations<T extends Annotated>(
  object: T,
  changes: Readonly<Record<string, string | undefined>>,
): T {
  const annotations: Record<string, string> = { ...object.metadata?.annotations };
  for (const [key, value] of Object.entries(changes))
    if (value === undefined) deleteOwn(annotations, key);
    else setOwn(annotations, key, value);
  const { annotations: _, ...metadata } = object.metadata ?? {};
  const hasAny = Object.keys(annotations).length > 0;
  return { ...object, metadata: { ...metadata, ...(hasAny && { annotations }) } };
}

/** The volume that names the claim by uid. That the controller chose is noted only where nobody else had. */
export function boundVolume(volume: CachedVolume, claim: CachedClaim): PersistentVolume | undefined {
  const held = volume as PersistentVolume;
  const reference = held.spec?.claimRef;
  const wasNamed = isBoundTo(volume, claim);
  const isChosen = wasNamed || getOwn(held.metadata?.annotations, boundByController) !== undefined;
  if (wasNamed && reference?.uid === claim.metadata?.uid) return undefined;
  const named = { ...held, spec: { ...held.spec, claimRef: referenceOf(claim, claimKind) } };
  return isChosen ? named : withAnnotations(named, { [boundByController]: "yes" });
}

export function boundClaim(claim: CachedClaim, volumeName: string): PersistentVolumeClaim | undefined {
  const held = claim as PersistentVolumeClaim;
  const isNew = held.spec?.volumeName !== volumeName;
  if (!isNew && getOwn(held.metadata?.annotations, bindCompleted) !== undefined) return undefined;
  return withAnnotations(isNew ? { ...held, spec: { ...held.spec, volumeName } } : held, {
    ...(isNew && { [boundByController]: getOwn(held.metadata?.annotations, boundByController) ?? "yes" }),
    [bindCompleted]: getOwn(held.metadata?.annotations, bindCompleted) ?? "yes",
  });
}

/** A claim that is not bound has nothing of a volume in its status. */
export function unboundClaimStatus(claim: CachedClaim, phase: "Pending" | "Lost"): PersistentVolumeClaim | undefined {
  const held = claim as PersistentVolumeClaim;
  const { accessModes, capacity, currentVolumeAttributesClassName, ...rest } = held.status ?? {};
  const isBare = !accessModes && !capacity && currentVolumeAttributesClassName === undefined;
  return isBare && rest.phase === phase ? undefined : { ...held, status: { ...rest, phase } };
}

/** Capacity and attributes are taken over once; later changes are the resizer's and the modifier's. */
export function boundClaimStatus(claim: CachedClaim, volume: CachedVolume): PersistentVolumeClaim | undefined {
  const held = claim as PersistentVolumeClaim;
  const { spec } = volume as PersistentVolume;
  const status = { ...held.status, phase: "Bound" as const };
  if (spec?.accessModes) status.accessModes = spec.accessModes;
  else delete status.accessModes;
  if (held.status?.phase !== "Bound") {
    if (!getOwn(spec?.capacity, "storage"))
      throw new Error(`PersistentVolume ${JSON.stringify(volume.metadata?.name)} is without a storage capacity`);
    const before = preResize(volume);
    if (before !== undefined) status.capacity = { ...held.status?.capacity, storage: before };
    else if (!hasSameStorage(held.status?.capacity, spec?.capacity)) status.capacity = { ...spec?.capacity };
  }
  if (held.status?.phase === "Pending") {
    if (spec?.volumeAttributesClassName !== undefined)
      status.currentVolumeAttributesClassName = spec.volumeAttributesClassName;
    else delete status.currentVolumeAttributesClassName;
  }
  return equalJson(status, held.status) ? undefined : { ...held, status };
}

type Amounts = Readonly<Record<string, string>>;

function hasSameStorage(a: Amounts | undefined, b: Amounts | undefined): boolean {
  const [ours, theirs] = [getOwn(a, "storage"), getOwn(b, "storage")];
  return ours !== undefined && theirs !== undefined && parseQuantity(ours).equals(parseQuantity(theirs));
}

/** The volume was made larger, and its file system was not yet. */
function preResize({ metadata, spec }: CachedVolume): string | undefined {
  const text = getOwn(metadata?.annotations, preResizeCapacity);
  if (text === undefined) return undefined;
  try {
    return canonicalQuantity(text);
  } catch {
    return getOwn(spec?.capacity, "storage"); // a note that cannot be read counts as none
  }
}

/** Free again: without a claim that the controller chose; with the name of one that a person chose. */
export function unboundVolume(volume: CachedVolume): PersistentVolume {
  const held = volume as PersistentVolume;
  const { claimRef, ...spec } = held.spec ?? {};
  if (getOwn(held.metadata?.annotations, boundByController) !== undefined)
    return withAnnotations({ ...held, spec }, { [boundByController]: undefined });
  const { uid: _, ...named } = claimRef ?? {};
  return { ...held, spec: { ...spec, claimRef: named } };
}

/** The driver that took the place of an in-tree provisioner is noted. */
export function migratedClaim(claim: CachedClaim): PersistentVolumeClaim | undefined {
  const held = claim as PersistentVolumeClaim;
  const annotations = held.metadata?.annotations;
  const provisioner = getOwn(annotations, storageProvisioner) ?? getOwn(annotations, betaStorageProvisioner);
  return withMigration(held, provisioner);
}

export function provisionedClaim(claim: CachedClaim, provisioner: string): PersistentVolumeClaim | undefined {
  const held = claim as PersistentVolumeClaim;
  if (getOwn(held.metadata?.annotations, storageProvisioner) === provisioner) return undefined;
  const noted = withAnnotations(held, { [betaStorageProvisioner]: provisioner, [storageProvisioner]: provisioner });
  return withMigration(noted, provisioner) ?? noted;
}

function withMigration<T extends Annotated>(object: T, provisioner: string | undefined): T | undefined {
  if (provisioner === undefined) return undefined;
  const [noted, wanted] = [getOwn(object.metadata?.annotations, migratedTo), migratedDriver(provisioner)];
  return (noted || undefined) === wanted ? undefined : withAnnotations(object, { [migratedTo]: wanted });
}

/** The same for volumes, and the finalizer that lets a volume go only after its storage. */
export function migratedVolume(volume: CachedVolume): PersistentVolume | undefined {
  const held = volume as PersistentVolume;
  const provisioner = getOwn(held.metadata?.annotations, provisionedBy);
  if (provisioner === undefined) return undefined;
  const noted = withMigration(held, provisioner);
  const finalizers = deletionFinalizers(held, provisioner);
  if (!noted && !finalizers) return undefined;
  const changed = noted ?? held;
  return finalizers ? { ...changed, metadata: { ...changed.metadata, finalizers } } : changed;
}

function deletionFinalizers({ metadata, spec }: PersistentVolume, provisioner: string): string[] | undefined {
  const there = metadata?.finalizers ?? [];
  const isMigrated = migratedDriver(provisioner) !== undefined;
  if (!isMigrated && !provisioner.startsWith("kubernetes.io/")) return undefined;
  const policy = spec?.persistentVolumeReclaimPolicy;
  const isDropped = isMigrated || policy === "Retain" || policy === "Recycle";
  const kept = there.filter(
    (each) => !(isDropped && each === inTreeDeletionFinalizer) && !(!isMigrated && each === externalDeletionFinalizer),
  );
  if (!isMigrated && policy === "Delete" && !kept.includes(inTreeDeletionFinalizer)) kept.push(inTreeDeletionFinalizer);
  return equalJson(kept, there) ? undefined : kept;
}
