import type { DeepReadonly } from "@coxswain/api";
import type { ResourceClaim, ResourceClaimTemplate } from "@coxswain/api/resource/v1";
import { formatGroupVersion } from "@coxswain/apimachinery/meta";
import { type CachedPod, isPodTerminal } from "../pods/pod-state.js";
import {
  type CachedPodGroup,
  type CachedResourceClaim,
  type ClaimEntry,
  type ClaimUser,
  claimNameOf,
  consumerOf,
  isClaimForPod,
  isClaimOf,
  isReservedFor,
  podUser,
} from "../resource-claims/claim-user.js";

export type CachedTemplate = DeepReadonly<ResourceClaimTemplate>;

/** Names the entry that a claim was generated for. */
export const podClaimAnnotation = "resource.kubernetes.io/pod-claim-name";

/** Pure: the pod will not use devices (any more): it is gone, has ended, or was deleted before it had a node. */
export const isPodDone = (pod: CachedPod): boolean =>
  isPodTerminal(pod) || (Boolean(pod.metadata?.deletionTimestamp) && !pod.spec?.nodeName);

export interface PodWorkInputs {
  readonly pod: CachedPod;
  /** Undefined also where the group of the pod is not known. */
  readonly group: CachedPodGroup | undefined;
  readonly isGroupMissing: boolean;
  readonly hasGroups: boolean;
  claimByName(name: string): CachedResourceClaim | undefined;
}

/** Pure: whether a claim is to be made for the pod, or reserved for it because it was bound without a scheduler. */
export function needsPodWork({ pod, group, isGroupMissing, hasGroups, claimByName }: PodWorkInputs): boolean {
  // A claim of a pod that has ended is deleted: it must not be made anew.
  if (pod.metadata?.deletionTimestamp || isPodDone(pod)) return false;
  const user = podUser(pod);
  return user.entries.some((entry) => {
    const named = claimNameOf(user, entry);
    if (named.kind === "none") return false;
    if (named.kind === "notCreated" || named.kind === "unsupported") return true;
    const claim = claimByName(named.name);
    if (!claim) {
      if (entry.resourceClaimTemplateName === undefined) return false; // the user makes it
      return isGroupMissing || consumerOf(pod, group, entry).resource === "pods";
    }
    if (named.kind === "generated" && !isClaimForPod(claim, pod, { hasGroups })) return false;
    return Boolean(pod.spec?.nodeName) && needsReservation(claim, pod, { hasGroups });
  });
}

/** Pure: whether the claim has devices that the pod is going to use, and is not yet reserved for it. */
export const needsReservation = (
  claim: CachedResourceClaim,
  pod: CachedPod,
  options: { readonly hasGroups: boolean },
): boolean => claim.status?.allocation !== undefined && !isReservedFor(claim, pod, options);

/** Pure: whether a claim of a group is to be made. */
export function needsGroupWork(
  user: ClaimUser,
  claimByName: (name: string) => CachedResourceClaim | undefined,
): boolean {
  if (user.metadata.deletionTimestamp) return false;
  return user.entries.some((entry) => {
    const named = claimNameOf(user, entry);
    if (named.kind === "none") return false;
    if (named.kind === "notCreated" || named.kind === "unsupported") return true;
    return !claimByName(named.name) && entry.resourceClaimTemplateName !== undefined;
  });
}

export type EntryPlan =
  | { readonly kind: "nothing" }
  /** A claim was made and is not yet in the status. */
  | { readonly kind: "record"; readonly claimName: string }
  | { readonly kind: "create"; readonly claim: ResourceClaim }
  | { readonly kind: "refused"; readonly message: string };

export interface EntryInputs {
  readonly user: ClaimUser;
  readonly entry: ClaimEntry;
  /** For whom the claim is: the user, or the group that makes it. */
  readonly maker: ClaimUser;
  readonly gates: { readonly hasAdminAccess: boolean; readonly hasPrioritizedList: boolean };
  claimByName(name: string): CachedResourceClaim | undefined;
  isOwn(claim: CachedResourceClaim): boolean;
  /** The claim that was generated for the entry before, also when the cache has not seen it. */
  generated(maker: ClaimUser, entryName: string): string | undefined;
  templateByName(name: string): CachedTemplate | undefined;
}

/** Pure: what an entry needs. A generated claim that is not the user's any more is made anew. */
export function planEntry(inputs: EntryInputs): EntryPlan {
  const { user, entry, maker, gates } = inputs;
  const named = claimNameOf(user, entry);
  if (named.kind === "none") return { kind: "nothing" };
  if (named.kind === "unsupported")
    return refused(`checking for claim before creating it: ${unsupported(user, entry)}`);
  if (named.kind !== "notCreated") {
    const claim = inputs.claimByName(named.name);
    if (claim && (named.kind === "named" || inputs.isOwn(claim))) return { kind: "nothing" };
  }
  const templateName = entry.resourceClaimTemplateName;
  if (templateName === undefined) return { kind: "nothing" };
  const claimName = inputs.generated(maker, entry.name);
  if (claimName !== undefined) return { kind: "record", claimName };
  if (maker.resource !== user.resource) return { kind: "nothing" }; // its group makes the claim
  const template = inputs.templateByName(templateName);
  if (!template)
    return refused(
      `resource claim template ${JSON.stringify(templateName)}: resourceclaimtemplate.resource.k8s.io ${JSON.stringify(templateName)} not found`,
    );
  if (!gates.hasAdminAccess && needsAdminAccess(template))
    return refused("admin access is requested, but the feature is disabled");
  if (!gates.hasPrioritizedList && hasPrioritizedList(template))
    return refused("template includes a prioritized list of subrequests, but the feature is disabled");
  return { kind: "create", claim: claimFrom(template, user, entry) };
}

const refused = (message: string): EntryPlan => ({ kind: "refused", message });

const unsupported = ({ kind, metadata }: ClaimUser, entry: ClaimEntry): string =>
  kind.kind === "Pod"
    ? `pod ${JSON.stringify(`${metadata.namespace}/${metadata.name}`)}, spec.resourceClaim ${JSON.stringify(entry.name)}: none of the supported fields are set`
    : `PodGroup ${metadata.namespace}/${metadata.name}, spec.resourceClaim ${entry.name}: none of the supported fields are set`;

const requestsOf = ({ spec }: { readonly spec: CachedTemplate["spec"]["spec"] }) => spec.devices?.requests ?? [];

/** Devices that others use already, for monitoring them. */
export const needsAdminAccess = ({ spec }: { readonly spec: CachedTemplate["spec"] }): boolean =>
  requestsOf(spec).some(({ exactly }) => exactly?.adminAccess === true);

const hasPrioritizedList = ({ spec }: CachedTemplate): boolean =>
  requestsOf(spec).some(({ firstAvailable }) => (firstAvailable ?? []).length > 0);

/** Leaves room for a hyphen and five random characters in a name of 63. */
const longestBase = 57;

/** Pure: the beginning of a generated name; both parts are shortened alike where they are too long. */
export function generateNameFor(userName: string, entryName: string): string {
  const whole = `${userName}-${entryName}-`;
  if (whole.length <= longestBase) return whole;
  const user = userName.slice(0, Math.floor((userName.length * longestBase) / whole.length));
  return `${user}-${entryName.slice(0, Math.floor((entryName.length * longestBase) / whole.length))}`;
}

function claimFrom({ spec }: CachedTemplate, { kind, metadata }: ClaimUser, entry: ClaimEntry): ResourceClaim {
  const template = spec as ResourceClaimTemplate["spec"];
  return {
    metadata: {
      generateName: generateNameFor(metadata.name ?? "", entry.name),
      ownerReferences: [
        {
          apiVersion: formatGroupVersion(kind),
          kind: kind.kind,
          name: metadata.name ?? "",
          uid: metadata.uid ?? "",
          controller: true,
        },
      ],
      annotations: { ...template.metadata?.annotations, [podClaimAnnotation]: entry.name },
      ...(template.metadata?.labels && { labels: template.metadata.labels }),
    },
    spec: template.spec,
  };
}

/** Pure: whether the claim was made for this user, for errors that name it. */
export const isOwnClaim =
  (user: ClaimUser, pod: CachedPod | undefined, hasGroups: boolean) =>
  (claim: CachedResourceClaim): boolean =>
    pod ? isClaimForPod(claim, pod, { hasGroups }) : isClaimOf(claim, user);
