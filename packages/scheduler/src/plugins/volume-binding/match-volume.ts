import { compileNodeSelector, type NodeMatch } from "@coxswain/api/placement";
import { parseQuantity, type Quantity } from "@coxswain/apimachinery/quantity";
import { labelSelectorFromObject } from "@coxswain/apimachinery/selector";
import type { PersistentVolume, PersistentVolumeClaim } from "../../framework/cluster-objects.js";
import type { Node } from "../../pod/objects.js";
import { classOfClaim, classOfVolume } from "../../volumes/pod-claims.js";

const compiled = new WeakMap<object, NodeMatch>();

/** Whether the volume can be reached from a node with these labels. */
export function isReachable(volume: PersistentVolume, labels: Readonly<Record<string, string>> | undefined): boolean {
  const required = volume.spec?.nodeAffinity?.required;
  if (required === undefined) return true;
  let match = compiled.get(required);
  if (match === undefined) {
    match = compileNodeSelector(required);
    compiled.set(required, match);
  }
  return match({ metadata: labels ? { labels } : {} } as Node);
}

/** Whether the volume was meant for this claim. */
export function isMeantFor({ spec }: PersistentVolume, { metadata }: PersistentVolumeClaim): boolean {
  const ref = spec?.claimRef;
  if (ref === undefined || ref.name !== metadata?.name || ref.namespace !== metadata?.namespace) return false;
  return !ref.uid || ref.uid === metadata?.uid;
}

export const storageOf = (amounts: Readonly<Record<string, string>> | undefined): Quantity =>
  parseQuantity(amounts?.["storage"] ?? "0");

export interface MatchInput {
  readonly volumes: readonly PersistentVolume[];
  readonly node: { readonly labels: Readonly<Record<string, string>> | undefined };
  /** Names of volumes that other claims have. */
  readonly taken: ReadonlySet<string>;
}

/** The volume that was meant for the claim, or the smallest that will do and can be reached from the node. */
export function matchVolume(
  claim: PersistentVolumeClaim,
  { volumes, node, taken }: MatchInput,
): PersistentVolume | undefined {
  const wanted = storageOf(claim.spec?.resources?.requests);
  const selector = claim.spec?.selector && labelSelectorFromObject(claim.spec.selector);
  let smallest: PersistentVolume | undefined;
  let smallestSize: Quantity | undefined;
  for (const volume of volumes) {
    const { metadata, spec, status } = volume;
    if (taken.has(metadata?.name ?? "")) continue;
    const meant = isMeantFor(volume, claim);
    if (spec?.claimRef !== undefined && !meant) continue;
    const size = storageOf(spec?.capacity);
    if (size.compare(wanted) < 0) continue;
    if ((claim.spec?.volumeMode ?? "Filesystem") !== (spec?.volumeMode ?? "Filesystem")) continue;
    if ((claim.spec?.volumeAttributesClassName ?? "") !== (spec?.volumeAttributesClassName ?? "")) continue;
    if (metadata?.deletionTimestamp !== undefined) continue;
    const reachable = isReachable(volume, node.labels);
    if (meant) return reachable ? volume : undefined;
    if (status?.phase !== "Available" || (selector && !selector.matches(metadata?.labels))) continue;
    if (classOfVolume(volume) !== classOfClaim(claim) || !reachable) continue;
    const modes = new Set<string>(spec?.accessModes);
    if (!(claim.spec?.accessModes ?? []).every((mode) => modes.has(mode))) continue;
    if (smallestSize === undefined || smallestSize.compare(size) > 0) {
      smallest = volume;
      smallestSize = size;
    }
  }
  return smallest;
}
