import type { PersistentVolumeClaimCondition } from "@coxswain/api/core/v1";
import { type CachedPod, hasPodStopped } from "../pods/pod-state.js";
import type { CachedClaim } from "../volumes/cached-volumes.js";
import { ephemeralClaimName, isClaimForPod } from "../volumes/pod-claims.js";

/**
 * Pure: whether the pod keeps the claim from being deleted. One that has a node does, also when it has ended: its kubelet
 * may still have the volume mounted. One without a node waits for a claim that is going away, and will not get it.
 */
export const blocksDeletion = (pod: CachedPod, claim: CachedClaim): boolean =>
  Boolean(pod.spec?.nodeName) && names(pod, claim, { hasEphemeral: !isShutDown(pod) });

/** Pure: whether the pod counts as a user in the condition `Unused`: with or without a node, until it has ended. */
export const countsAsUse = (pod: CachedPod, claim: CachedClaim): boolean =>
  !hasPodStopped(pod) && names(pod, claim, { hasEphemeral: true });

function names(pod: CachedPod, claim: CachedClaim, { hasEphemeral }: { hasEphemeral: boolean }): boolean {
  const { name } = claim.metadata ?? {};
  return (pod.spec?.volumes ?? []).some(
    (volume) =>
      volume.persistentVolumeClaim?.claimName === name ||
      (hasEphemeral &&
        volume.ephemeral !== undefined &&
        ephemeralClaimName(pod, volume) === name &&
        isClaimForPod(claim, pod)),
  );
}

/** Its kubelet has stopped everything; only the object is left. */
const isShutDown = ({ metadata }: CachedPod): boolean =>
  Boolean(metadata?.deletionTimestamp) && metadata?.deletionGracePeriodSeconds === 0;

/** Pure: whether a change of a pod may set a claim free. `hasUnused`: the condition is kept too. */
export const mayReleaseClaims = (pod: CachedPod, { hasUnused }: { hasUnused: boolean }): boolean =>
  hasUnused || hasPodStopped(pod) || !pod.spec?.nodeName;

/** Pure: the condition `Unused` as it should be; undefined: it is. */
export function planUnused(
  { status }: CachedClaim,
  isUsed: boolean,
  lastTransitionTime: string,
): PersistentVolumeClaimCondition | undefined {
  const wanted = isUsed ? "False" : "True";
  if (status?.conditions?.find(({ type }) => type === "Unused")?.status === wanted) return undefined;
  return isUsed
    ? {
        type: "Unused",
        status: wanted,
        lastTransitionTime,
        reason: "PodUsingPVC",
        message: "A pod is currently referencing this PVC",
      }
    : {
        type: "Unused",
        status: wanted,
        lastTransitionTime,
        reason: "NoPodsUsingPVC",
        message: "No pods are currently referencing this PVC",
      };
}
