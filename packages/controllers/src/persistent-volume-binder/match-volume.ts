import { getOwn } from "@coxswain/apimachinery/own";
import { parseQuantity, type Quantity } from "@coxswain/apimachinery/quantity";
import { labelSelectorFromObject } from "@coxswain/apimachinery/selector";
import type { CachedClaim, CachedVolume } from "../volumes/cached-volumes.js";
import { classOfClaim, classOfVolume } from "../volumes/storage-class.js";

const quantityOf = (text: string | undefined): Quantity => parseQuantity(text ?? "0");
const capacityOf = ({ spec }: CachedVolume): Quantity => quantityOf(getOwn(spec?.capacity, "storage"));
const requestOf = ({ spec }: CachedClaim): Quantity => quantityOf(getOwn(spec?.resources?.requests, "storage"));
const attributesOf = ({ spec }: CachedClaim | CachedVolume): string => spec?.volumeAttributesClassName ?? "";

/** The volume names this claim: by name alone (a person did), or by uid too (the controller did). */
export function isBoundTo({ spec }: CachedVolume, { metadata }: CachedClaim): boolean {
  const reference = spec?.claimRef;
  if (!reference || reference.name !== metadata?.name || reference.namespace !== metadata?.namespace) return false;
  return !reference.uid || reference.uid === metadata?.uid;
}

export const haveSameMode = (claim: CachedClaim, volume: CachedVolume): boolean =>
  (claim.spec?.volumeMode ?? "Filesystem") === (volume.spec?.volumeMode ?? "Filesystem");

const hasAccessModes = (claim: CachedClaim, volume: CachedVolume): boolean =>
  (claim.spec?.accessModes ?? []).every((mode) => volume.spec?.accessModes?.includes(mode));

/** Pure: why the claim cannot have the volume that it names; undefined: it can. */
export function mismatchOf(volume: CachedVolume, claim: CachedClaim): string | undefined {
  if (volume.metadata?.deletionTimestamp)
    return `the volume is marked for deletion ${JSON.stringify(volume.metadata.name)}`;
  if (capacityOf(volume).compare(requestOf(claim)) < 0) return "requested PV is too small";
  if (classOfVolume(volume) !== classOfClaim(claim)) return "storageClassName does not match";
  if (attributesOf(volume) !== attributesOf(claim)) return "volumeAttributesClassName does not match";
  if (!haveSameMode(claim, volume)) return "incompatible volumeMode";
  if (!hasAccessModes(claim, volume)) return "incompatible accessMode";
  return undefined;
}

/**
 * Pure: the volume for a claim that names none. Volumes with as few access modes as will do come first; among equals, one
 * that names the claim, else the smallest that is available. A claim that waits for its first consumer gets only a volume
 * that names it: the scheduler chooses among the others.
 */
export function bestVolume(
  claim: CachedClaim,
  candidates: readonly CachedVolume[],
  { isDelayed }: { readonly isDelayed: boolean },
): CachedVolume | undefined {
  const request = requestOf(claim);
  const selector = claim.spec?.selector && labelSelectorFromObject(claim.spec.selector);
  const isCandidate = (volume: CachedVolume): boolean => {
    if (volume.metadata?.deletionTimestamp || !hasAccessModes(claim, volume)) return false;
    if (capacityOf(volume).compare(request) < 0 || !haveSameMode(claim, volume)) return false;
    if (attributesOf(volume) !== attributesOf(claim)) return false;
    if (volume.spec?.claimRef) return isBoundTo(volume, claim);
    if (isDelayed || volume.status?.phase !== "Available") return false;
    if (selector && !selector.matches(volume.metadata?.labels ?? {})) return false;
    return classOfVolume(volume) === classOfClaim(claim);
  };
  let best: CachedVolume | undefined;
  for (const volume of candidates)
    if (isCandidate(volume) && (!best || compareVolumes(volume, best) < 0)) best = volume;
  return best;
}

function compareVolumes(a: CachedVolume, b: CachedVolume): number {
  const modes = ({ spec }: CachedVolume): number => new Set(spec?.accessModes).size;
  const free = ({ spec }: CachedVolume): number => (spec?.claimRef ? 0 : 1);
  return (
    modes(a) - modes(b) ||
    free(a) - free(b) ||
    capacityOf(a).compare(capacityOf(b)) ||
    ((a.metadata?.name ?? "") < (b.metadata?.name ?? "") ? -1 : 1)
  );
}
