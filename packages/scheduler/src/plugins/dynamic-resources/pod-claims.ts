import type { ResourceClaim } from "../../framework/cluster-objects.js";
import { namespaceOf, type Pod, uidOf } from "../../pod/objects.js";

export type FindClaim = (key: string) => ResourceClaim | undefined;

export type PodClaims =
  | { readonly kind: "claims"; readonly claims: readonly ResourceClaim[] }
  /** Some claim is missing or not the pod's. */
  | { readonly kind: "problem"; readonly reason: string };

/** The ResourceClaims that a pod names, or that were made for it from a template. */
export function resourceClaimsOf(pod: Pod, find: FindClaim): PodClaims {
  const claims: ResourceClaim[] = [];
  const podName = `${namespaceOf(pod)}/${pod.metadata?.name}`;
  const problem = (reason: string): PodClaims => ({ kind: "problem", reason });
  for (const used of pod.spec?.resourceClaims ?? []) {
    const made = pod.status?.resourceClaimStatuses?.find(({ name }) => name === used.name);
    if (used.resourceClaimName === undefined) {
      if (used.resourceClaimTemplateName === undefined)
        return problem(`pod "${podName}", spec.resourceClaim "${used.name}": none of the supported fields are set`);
      if (made === undefined) return problem(`pod "${podName}": ResourceClaim not created yet`);
      // None is needed.
      if (made.resourceClaimName === undefined) continue;
    }
    const claimName = used.resourceClaimName ?? made?.resourceClaimName ?? "";
    const claim = find(`${namespaceOf(pod)}/${claimName}`);
    if (claim === undefined) return problem(`could not find ResourceClaim "${namespaceOf(pod)}/${claimName}"`);
    if (claim.metadata?.deletionTimestamp !== undefined)
      return problem(`resourceclaim "${claimName}" is being deleted`);
    if (used.resourceClaimName === undefined && !isOwnedBy(claim, pod))
      return problem(
        `ResourceClaim ${namespaceOf(pod)}/${claimName} was not created for Pod ${podName} (Pod is not owner)`,
      );
    claims.push(claim);
  }
  return { kind: "claims", claims };
}

export const isOwnedBy = ({ metadata }: ResourceClaim, pod: Pod): boolean =>
  metadata?.ownerReferences?.find(({ controller }) => controller)?.uid === uidOf(pod);

export const isReservedFor = ({ status }: ResourceClaim, pod: Pod): boolean =>
  status?.reservedFor?.some(({ uid }) => uid === uidOf(pod)) ?? false;
