import type { PodResourceClaimStatus } from "@coxswain/api/core/v1";
import type { ResourceClaim } from "@coxswain/api/resource/v1";
import type { Client } from "@coxswain/client";
import type { EventRecorder } from "@coxswain/client/events";
import { keyOf } from "@coxswain/client/informers";
import { messageOf, referenceOf } from "../pods/pod-control.js";
import type { CachedPod } from "../pods/pod-state.js";
import {
  type CachedPodGroup,
  type CachedResourceClaim,
  type ClaimUser,
  claimNameOf,
  consumerOf,
  consumerReference,
  isClaimForPod,
  podGroupUser,
  podUser,
} from "../resource-claims/claim-user.js";
import type { GeneratedClaims } from "./generated-claims.js";
import { type CachedTemplate, type EntryInputs, isOwnClaim, needsReservation, planEntry } from "./plan-user.js";

const manager = "ResourceClaimController";

/** What the work on all pods and groups shares. */
export interface UserSync {
  readonly client: Client;
  readonly recorder: EventRecorder;
  readonly features: EntryInputs["gates"];
  readonly hasGroups: boolean;
  readonly generated: GeneratedClaims;
  claimIn(namespace: string | undefined): (name: string) => CachedResourceClaim | undefined;
  templateByKey(key: string): CachedTemplate | undefined;
  groupOf(pod: CachedPod): CachedPodGroup | undefined;
  isGroupMissing(pod: CachedPod): boolean;
  onCreate(claim: ResourceClaim, result: "success" | "failure"): void;
}

/** Makes the pod's claims by their templates, and names them in its status. */
export async function syncPod(sync: UserSync, pod: CachedPod): Promise<void> {
  if (sync.isGroupMissing(pod)) {
    const { namespace, name } = pod.metadata ?? {};
    throw new Error(`get PodGroup for Pod ${namespace}/${name}: it is not there`);
  }
  const names = await makeClaims(sync, podUser(pod), pod);
  if (names) await applyStatuses(sync, pod, names, "Pod");
  if (pod.spec?.nodeName) await reserve(sync, pod);
}

/** The same for a group. */
export async function syncGroup(sync: UserSync, group: CachedPodGroup): Promise<void> {
  const names = await makeClaims(sync, podGroupUser(group), undefined);
  if (names) await applyStatuses(sync, group, names, "PodGroup");
}

/** Names of generated claims by entry, where some are new. */
async function makeClaims(
  sync: UserSync,
  user: ClaimUser,
  pod: CachedPod | undefined,
): Promise<Map<string, string> | undefined> {
  const { namespace = "", name = "" } = user.metadata;
  const names = new Map<string, string>();
  let hasNew = false;
  for (const entry of user.entries)
    try {
      const plan = planEntry({
        user,
        entry,
        maker: pod ? consumerOf(pod, sync.groupOf(pod), entry) : user,
        gates: sync.features,
        claimByName: sync.claimIn(namespace),
        isOwn: isOwnClaim(user, pod, sync.hasGroups),
        generated: (maker, entryName) => sync.generated.find(maker, entryName),
        templateByName: (template) => sync.templateByKey(`${namespace}/${template}`),
      });
      if (plan.kind === "refused") throw new Error(plan.message);
      const known = claimNameOf(user, entry);
      if (plan.kind === "nothing") {
        if (known.kind === "generated") names.set(entry.name, known.name);
        continue;
      }
      hasNew = true;
      names.set(entry.name, plan.kind === "record" ? plan.claimName : await create(sync, user, entry.name, plan.claim));
    } catch (error) {
      const what = `${user.kind.kind}ResourceClaim ${entry.name}: ${messageOf(error)}`;
      sync.recorder.event(referenceOf(user, user.kind), {
        type: "Warning",
        reason: "FailedResourceClaimCreation",
        message: what,
      });
      const who = user.resource === "pods" ? "pod" : "PodGroup";
      throw new Error(`${who} ${namespace}/${name}, ${what}`, { cause: error });
    }
  return hasNew ? names : undefined;
}

async function create(sync: UserSync, user: ClaimUser, entryName: string, claim: ResourceClaim): Promise<string> {
  try {
    const created = await sync.client.resource.v1.resourceclaims(user.metadata.namespace ?? "").create(claim);
    sync.onCreate(claim, "success");
    sync.generated.created(user, entryName, created);
    return created.metadata?.name ?? "";
  } catch (error) {
    sync.onCreate(claim, "failure");
    throw new Error(`create ResourceClaim : ${messageOf(error)}`, { cause: error });
  }
}

/** All names, not only new ones: what an apply leaves out that its manager applied before is removed. */
async function applyStatuses(
  { client }: UserSync,
  { metadata }: CachedPod | CachedPodGroup,
  names: ReadonlyMap<string, string>,
  kind: "Pod" | "PodGroup",
): Promise<void> {
  const { namespace = "", name = "" } = metadata ?? {};
  const resourceClaimStatuses: PodResourceClaimStatus[] = [...names].map(([entry, resourceClaimName]) => ({
    name: entry,
    resourceClaimName,
  }));
  const configuration = { metadata: { name, namespace }, status: { resourceClaimStatuses } };
  const options = { fieldManager: manager, force: true };
  if (kind === "Pod") await client.core.v1.pods(namespace).applyStatus(configuration, options);
  else await client.scheduling.v1alpha2.podgroups(namespace).applyStatus(configuration, options);
}

/** For pods that got their node from somebody who does not reserve claims. */
async function reserve({ claimIn, hasGroups, groupOf, client }: UserSync, pod: CachedPod): Promise<void> {
  const { namespace = "" } = pod.metadata ?? {};
  const user = podUser(pod);
  for (const entry of user.entries) {
    const named = claimNameOf(user, entry);
    if (named.kind === "none") continue;
    const claim = named.kind === "named" || named.kind === "generated" ? claimIn(namespace)(named.name) : undefined;
    if (!claim) return; // comes again with the claim, or with the status that names it
    if (named.kind === "generated" && !isClaimForPod(claim, pod, { hasGroups }))
      throw new Error(`ResourceClaim ${keyOf(claim)} was not created for Pod ${keyOf(pod)} (Pod is not owner)`);
    if (!needsReservation(claim, pod, { hasGroups })) continue;
    const held = claim as ResourceClaim;
    const reservedFor = [...(held.status?.reservedFor ?? []), consumerReference(consumerOf(pod, groupOf(pod), entry))];
    await client.resource.v1
      .resourceclaims(namespace)
      .updateStatus({ ...held, status: { ...held.status, reservedFor } });
  }
}
