import type { DeepReadonly } from "@coxswain/api";
import type { PodResourceClaim, PodResourceClaimStatus } from "@coxswain/api/core/v1";
import type { ResourceClaim, ResourceClaimConsumerReference } from "@coxswain/api/resource/v1";
import type { PodGroup } from "@coxswain/api/scheduling/v1alpha2";
import type { GroupVersionKind } from "@coxswain/apimachinery/meta";
import { controllerOf, isControlledBy } from "@coxswain/client/controller";
import type { CachedPod } from "../pods/pod-state.js";

export type CachedResourceClaim = DeepReadonly<ResourceClaim>;
export type CachedPodGroup = DeepReadonly<PodGroup>;
/** One of the claims that a pod or a group of pods names. */
export type ClaimEntry = DeepReadonly<PodResourceClaim>;

/** A pod, or a group of pods that share claims. */
export interface ClaimUser {
  readonly kind: GroupVersionKind;
  /** As claims are reserved for it. */
  readonly resource: "pods" | "podgroups";
  readonly metadata: NonNullable<CachedPod["metadata"]>;
  readonly entries: readonly ClaimEntry[];
  readonly statuses: readonly DeepReadonly<PodResourceClaimStatus>[];
}

const schedulingGroup = "scheduling.k8s.io";

export const podUser = ({ metadata, spec, status }: CachedPod): ClaimUser => ({
  kind: { group: "", version: "v1", kind: "Pod" },
  resource: "pods",
  metadata: metadata ?? {},
  entries: spec?.resourceClaims ?? [],
  statuses: status?.resourceClaimStatuses ?? [],
});

export const podGroupUser = ({ metadata, spec, status }: CachedPodGroup): ClaimUser => ({
  kind: { group: schedulingGroup, version: "v1alpha2", kind: "PodGroup" },
  resource: "podgroups",
  metadata: metadata ?? {},
  entries: spec.resourceClaims ?? [],
  statuses: status?.resourceClaimStatuses ?? [],
});

export type ClaimName =
  | { readonly kind: "named"; readonly name: string }
  /** Made by a template for the user; it must be the user's. */
  | { readonly kind: "generated"; readonly name: string }
  /** By the pod's status none is needed. */
  | { readonly kind: "none" }
  | { readonly kind: "notCreated" }
  | { readonly kind: "unsupported" };

/** Pure: the claim behind an entry. */
export function claimNameOf({ statuses }: ClaimUser, entry: ClaimEntry): ClaimName {
  if (entry.resourceClaimName !== undefined) return { kind: "named", name: entry.resourceClaimName };
  if (entry.resourceClaimTemplateName === undefined) return { kind: "unsupported" };
  const status = statuses.find(({ name }) => name === entry.name);
  if (!status) return { kind: "notCreated" };
  return status.resourceClaimName === undefined
    ? { kind: "none" }
    : { kind: "generated", name: status.resourceClaimName };
}

/** Names of all claims that are known to be the user's. */
export const claimNamesOf = (user: ClaimUser): string[] => [
  ...new Set(
    user.entries.flatMap((entry) => {
      const claim = claimNameOf(user, entry);
      return claim.kind === "named" || claim.kind === "generated" ? [claim.name] : [];
    }),
  ),
];

export const podGroupNameOf = ({ spec }: CachedPod): string | undefined => spec?.schedulingGroup?.podGroupName;

export const isClaimOf = (claim: CachedResourceClaim, user: ClaimUser): boolean =>
  claim.metadata?.namespace === user.metadata.namespace &&
  isControlledBy({ metadata: claim.metadata ?? {} }, { metadata: user.metadata });

/** Whether the claim was made for the pod, or for its group. */
export function isClaimForPod(
  claim: CachedResourceClaim,
  pod: CachedPod,
  { hasGroups }: { hasGroups: boolean },
): boolean {
  if (isClaimOf(claim, podUser(pod))) return true;
  const owner = hasGroups ? controllerOf({ metadata: claim.metadata ?? {} }) : undefined;
  return (
    owner !== undefined &&
    owner.kind === "PodGroup" &&
    owner.apiVersion.startsWith(`${schedulingGroup}/`) &&
    owner.name === podGroupNameOf(pod)
  );
}

export const isForGroup = ({ apiGroup, resource }: DeepReadonly<ResourceClaimConsumerReference>): boolean =>
  apiGroup === schedulingGroup && resource === "podgroups";

export const isForPods = ({ apiGroup, resource }: DeepReadonly<ResourceClaimConsumerReference>): boolean =>
  !apiGroup && resource === "pods";

export const isReservedFor = (
  { status }: CachedResourceClaim,
  pod: CachedPod,
  { hasGroups }: { hasGroups: boolean },
): boolean =>
  (status?.reservedFor ?? []).some(
    (each) => each.uid === pod.metadata?.uid || (hasGroups && isForGroup(each) && each.name === podGroupNameOf(pod)),
  );

/**
 * Pure: for whom an entry of a pod is reserved: its group, where that has the same entry, else the pod.
 */
export function consumerOf(pod: CachedPod, group: CachedPodGroup | undefined, entry: ClaimEntry): ClaimUser {
  const shared = group?.spec.resourceClaims?.some(
    (each) =>
      each.name === entry.name &&
      each.resourceClaimName === entry.resourceClaimName &&
      each.resourceClaimTemplateName === entry.resourceClaimTemplateName,
  );
  return group && shared ? podGroupUser(group) : podUser(pod);
}

export const consumerReference = ({ kind, resource, metadata }: ClaimUser): ResourceClaimConsumerReference => ({
  ...(kind.group && { apiGroup: kind.group }),
  resource,
  name: metadata.name ?? "",
  uid: metadata.uid ?? "",
});
