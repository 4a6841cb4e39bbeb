import type { DeepReadonly } from "@coxswain/api";
import type { ResourceClaim, ResourceClaimConsumerReference } from "@coxswain/api/resource/v1";
import type { CachedPod } from "../pods/pod-state.js";
import type { CachedResourceClaim } from "../resource-claims/claim-user.js";
import { isPodDone } from "./plan-user.js";

/** On claims with devices: kept until they are given back. */
export const claimFinalizer = "resource.kubernetes.io/delete-protection";

type Reservation = DeepReadonly<ResourceClaimConsumerReference>;

/** Pure: whether a pod that the claim is reserved for may still use it; `ask`: only the server knows. */
export function checkReservation(
  { uid }: Reservation,
  pod: CachedPod | undefined,
  isKnownDeleted: boolean,
): "keep" | "drop" | "ask" {
  if (isKnownDeleted) return "drop";
  if (!pod) return "ask";
  return pod.metadata?.uid === uid && !isPodDone(pod) ? "keep" : "drop";
}

export interface ClaimSyncPlan {
  /** The status to write; undefined: it stays. */
  readonly status?: NonNullable<ResourceClaim["status"]>;
  /** After that. */
  readonly isFinalizerRemoved: boolean;
  /** It was generated for a pod that is done with it. */
  readonly isDeleted: boolean;
}

/**
 * Pure: without a consumer the devices are given back, and then nothing keeps the claim. `remaining` are the reservations
 * that stay; `owner` is the pod of the name in the claim's controller reference.
 */
export function planClaimSync(
  claim: CachedResourceClaim,
  remaining: readonly Reservation[],
  owner: CachedPod | undefined,
): ClaimSyncPlan {
  const { allocation, reservedFor = [], ...rest } = (claim as ResourceClaim).status ?? {};
  const isUnused = remaining.length === 0;
  const hasFinalizer = claim.metadata?.finalizers?.includes(claimFinalizer) ?? false;
  const hasFewer = remaining.length < reservedFor.length;
  const isGoing = hasFinalizer && Boolean(claim.metadata?.deletionTimestamp) && isUnused;
  const isGivenBack = isUnused && hasFinalizer && (hasFewer || isGoing);
  const isWritten = hasFewer || (isGoing && allocation !== undefined);
  const ownerUid = owningPod(claim)?.uid;
  return {
    ...(isWritten && {
      status: {
        ...rest,
        ...(allocation && !isGivenBack && { allocation }),
        ...(!isUnused && { reservedFor: [...remaining] as ResourceClaimConsumerReference[] }),
      },
    }),
    isFinalizerRemoved: hasFinalizer && (hasFewer ? allocation === undefined || isGivenBack : isGoing),
    isDeleted: isUnused && owner !== undefined && (owner.metadata?.uid !== ownerUid || isPodDone(owner)),
  };
}

/** The pod that a claim was generated for. */
export const owningPod = ({
  metadata,
}: CachedResourceClaim): { readonly name: string; readonly uid: string } | undefined =>
  metadata?.ownerReferences?.find(
    ({ controller, apiVersion, kind }) => controller === true && apiVersion === "v1" && kind === "Pod",
  );
