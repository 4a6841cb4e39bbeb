import type { DeepReadonly } from "@coxswain/api";
import type { PersistentVolumeClaim } from "@coxswain/api/core/v1";
import { formatGroupVersion, type GroupVersionKind, type OwnerReference } from "@coxswain/apimachinery/meta";
import { controllerReference } from "@coxswain/client/controller";
import type { CachedPod } from "../pods/pod-state.js";
import { type CachedStatefulSet, isInRange, ordinalOf, statefulSetKind } from "./identity.js";

export type CachedClaim = DeepReadonly<PersistentVolumeClaim>;

const podKind = { group: "", version: "v1", kind: "Pod" };

interface Named {
  readonly metadata?: { readonly name?: string; readonly uid?: string };
}

/** Whom a claim goes with: by the set's policy its set, a pod that is scaled away, or nobody. */
function wantedOwner(set: CachedStatefulSet, pod: CachedPod): "set" | "pod" | undefined {
  const { whenScaled, whenDeleted } = set.spec?.persistentVolumeClaimRetentionPolicy ?? {};
  if (whenScaled === "Delete" && !isInRange(set, ordinalOf(pod))) return "pod";
  return whenDeleted === "Delete" ? "set" : undefined;
}

const hasPolicy = ({ spec }: CachedStatefulSet): boolean => {
  const { whenScaled, whenDeleted } = spec?.persistentVolumeClaimRetentionPolicy ?? {};
  return whenScaled === "Delete" || whenDeleted === "Delete";
};

const refersTo = (reference: OwnerReference, { metadata }: Named, kind: GroupVersionKind): boolean =>
  reference.apiVersion === formatGroupVersion(kind) &&
  reference.kind === kind.kind &&
  reference.name === metadata?.name;

const ownersOf = ({ metadata }: CachedClaim): readonly OwnerReference[] => metadata?.ownerReferences ?? [];

const isOwnedBy = (claim: CachedClaim, { metadata }: Named): boolean =>
  ownersOf(claim).some(({ uid }) => uid === metadata?.uid);

/** The claim goes with a namesake of the object that is gone: the garbage collector has not yet deleted it. */
export const isStale = (claim: CachedClaim, pod: CachedPod): boolean => hasStaleOwner(claim, pod, podKind);

function hasStaleOwner(claim: CachedClaim, object: Named, kind: GroupVersionKind): boolean {
  const reference = ownersOf(claim).find((owner) => refersTo(owner, object, kind));
  return reference !== undefined && reference.uid !== object.metadata?.uid;
}

/** Somebody else decides about the claim; the policy is ignored. */
export function hasOtherController(claim: CachedClaim, set: CachedStatefulSet, pod: CachedPod): boolean {
  if (!hasPolicy(set)) return false;
  return ownersOf(claim).some((owner) => {
    if (refersTo(owner, set, statefulSetKind)) return owner.uid !== set.metadata?.uid;
    if (refersTo(owner, pod, podKind)) return owner.uid !== pod.metadata?.uid;
    return owner.controller === true;
  });
}

/** Pure: whether the claim's owners are what the policy asks for. */
export function isRetentionRight(claim: CachedClaim, set: CachedStatefulSet, pod: CachedPod): boolean {
  // Owners that are about to go take the claim with them.
  if (hasStaleOwner(claim, set, statefulSetKind) || hasStaleOwner(claim, pod, podKind)) return true;
  const [ofSet, ofPod] = [isOwnedBy(claim, set), isOwnedBy(claim, pod)];
  if (hasOtherController(claim, set, pod)) return !ofSet && !ofPod;
  const isPlainOwner = ownersOf(claim).some(
    ({ uid, controller }) => (uid === set.metadata?.uid || uid === pod.metadata?.uid) && controller !== true,
  );
  if (isPlainOwner) return false;
  const wanted = wantedOwner(set, pod);
  return ofSet === (wanted === "set") && ofPod === (wanted === "pod");
}

/** Pure: the owners that the policy asks for; others stay. */
export function retainedOwners(claim: CachedClaim, set: CachedStatefulSet, pod: CachedPod): OwnerReference[] {
  const others = ownersOf(claim).filter(
    (owner) => !refersTo(owner, set, statefulSetKind) && !refersTo(owner, pod, podKind),
  );
  if (hasOtherController(claim, set, pod)) return others;
  const wanted = wantedOwner(set, pod);
  if (wanted === undefined) return others;
  const [owner, kind] = wanted === "set" ? [set, statefulSetKind] : [pod, podKind];
  return [...others, controllerReference({ metadata: owner.metadata ?? {} }, kind)];
}
