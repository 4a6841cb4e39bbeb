import { keyOf } from "@coxswain/client/informers";
import type { ReconcileLoop } from "../controller/reconcile-loop.js";
import type { CachedPod } from "../pods/pod-state.js";
import {
  type CachedPodGroup,
  type CachedResourceClaim,
  type ClaimUser,
  claimNamesOf,
  podGroupUser,
  podUser,
} from "../resource-claims/claim-user.js";
import { podGroupIndex } from "../resource-claims/indexes.js";
import type { RecentUids } from "../resource-claims/recent-uids.js";
import type { ClaimCaches } from "./claim-caches.js";
import type { GeneratedClaims } from "./generated-claims.js";
import { byClaim, byTemplate } from "./indexes.js";
import { isPodDone, needsGroupWork, needsPodWork } from "./plan-user.js";

export interface WatchedClaims extends ClaimCaches {
  readonly loop: ReconcileLoop;
  /** Consumers whose deletion was seen. */
  readonly deleted: RecentUids;
  readonly generated: GeneratedClaims;
}

/** Wakes "claim:", "pod:" and "podgroup:" with a key behind: what there may be something to do for. */
export function watchClaims(watched: WatchedClaims): void {
  const { loop, pods, claims, templates, groups, generated } = watched;
  loop.handle(pods, {
    onAdd: (pod) => wakePod(watched, pod),
    onUpdate: (_, pod) => wakePod(watched, pod),
    onDelete: (pod) => wakePod(watched, pod, true),
  });
  loop.handle(claims, {
    onAdd: (claim) => wakeClaim(watched, claim),
    onUpdate: (_, claim) => wakeClaim(watched, claim),
    onDelete(claim) {
      generated.seen(claim);
      wakeUsersOf(watched, byClaim, keyOf(claim));
    },
  });
  loop.handle(templates, {
    onAdd: (template) => wakeTemplate(watched, template),
    onUpdate: (_, template) => wakeTemplate(watched, template),
  });
  if (groups)
    loop.handle(groups, {
      onAdd: (group) => wakeGroup(watched, group),
      onUpdate: (_, group) => wakeGroup(watched, group),
      onDelete: (group) => wakeGroup(watched, group, true),
    });
}

function wakeClaims({ loop }: WatchedClaims, user: ClaimUser): void {
  for (const name of claimNamesOf(user)) loop.queue.add(`claim:${user.metadata.namespace}/${name}`);
}

function wakePod(watched: WatchedClaims, pod: CachedPod, isDeleted = false): void {
  const user = podUser(pod);
  const extended = pod.status?.extendedResourceClaimStatus;
  if (user.entries.length === 0 && !extended) return;
  if (isDeleted) watched.deleted.add(user.metadata.uid ?? "");
  if (isDeleted || isPodDone(pod)) {
    wakeClaims(watched, user);
    if (extended) watched.loop.queue.add(`claim:${user.metadata.namespace}/${extended.resourceClaimName}`);
  }
  const inputs = {
    pod,
    group: watched.groupOf(pod),
    isGroupMissing: watched.isGroupMissing(pod),
    hasGroups: watched.hasGroups,
  };
  if (!isDeleted && needsPodWork({ ...inputs, claimByName: watched.claimIn(user.metadata.namespace) }))
    watched.loop.queue.add(`pod:${keyOf(pod)}`);
}

function wakeGroup(watched: WatchedClaims, group: CachedPodGroup, isDeleted = false): void {
  const user = podGroupUser(group);
  if (user.entries.length === 0) return;
  if (isDeleted) {
    watched.deleted.add(user.metadata.uid ?? "");
    wakeClaims(watched, user);
  } else if (needsGroupWork(user, watched.claimIn(user.metadata.namespace)))
    watched.loop.queue.add(`podgroup:${keyOf(group)}`);
  for (const pod of watched.pods.indexer.byIndex(podGroupIndex, keyOf(group))) wakePod(watched, pod);
}

function wakeUsersOf(watched: WatchedClaims, index: string, key: string): void {
  for (const pod of watched.pods.indexer.byIndex(index, key)) wakePod(watched, pod);
  for (const group of watched.groups?.indexer.byIndex(index, key) ?? []) wakeGroup(watched, group);
}

function wakeClaim(watched: WatchedClaims, claim: CachedResourceClaim): void {
  watched.generated.seen(claim);
  watched.loop.queue.add(`claim:${keyOf(claim)}`);
  wakeUsersOf(watched, byClaim, keyOf(claim));
}

const wakeTemplate = (
  watched: WatchedClaims,
  template: { readonly metadata?: { readonly name?: string; readonly namespace?: string } },
): void => wakeUsersOf(watched, byTemplate, keyOf(template));
