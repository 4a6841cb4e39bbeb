import { keyOf } from "@coxswain/client/informers";
import type { WorkResult } from "@coxswain/client/queue";
import type { Controller } from "../controller/controller.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import type { CachedPod } from "../pods/pod-state.js";
import {
  type CachedPodGroup,
  type CachedResourceClaim,
  type ClaimUser,
  claimNamesOf,
  podGroupNameOf,
  podGroupUser,
  podUser,
} from "../resource-claims/claim-user.js";
import { podGroupIndex } from "../resource-claims/indexes.js";
import { createRecentUids } from "../resource-claims/recent-uids.js";
import { createGeneratedClaims } from "./generated-claims.js";
import { byClaim, byOwner, byTemplate, claimIndexers, groupIndexers, podIndexers } from "./indexes.js";
import { createClaimMetrics } from "./metrics.js";
import { isPodDone, needsGroupWork, needsPodWork } from "./plan-user.js";
import { createClaimSync } from "./sync-claim.js";
import { createUserSync } from "./sync-user.js";

/** As upstream's (pkg/controller/resourceclaim/controller.go, maxUIDCacheEntries): deletions that were seen spare a request each. */
const rememberedDeletions = 500;

/** Makes claims of devices by templates, keeps who they are reserved for, and gives devices back. */
export const resourceClaimController: Controller = {
  name: "resourceclaim-controller",
  aliases: ["resource-claim-controller"],
  serviceAccount: "resource-claim-controller",
  gates: ["DynamicResourceAllocation"],
  start(context) {
    const { client, gates, informers, settings } = context;
    const hasGroups = gates.enabled("DRAWorkloadResourceClaims");
    const pods = informers.of("core", "v1", "pods", { indexers: podIndexers });
    const claims = informers.of("resource", "v1", "resourceclaims", { indexers: claimIndexers });
    const templates = informers.of("resource", "v1", "resourceclaimtemplates");
    const groups = hasGroups
      ? informers.of("scheduling", "v1alpha2", "podgroups", { indexers: groupIndexers })
      : undefined;
    const metrics = createClaimMetrics(context.runtime.metrics, () => claims.indexer.list());
    const deleted = createRecentUids(rememberedDeletions);
    const generated = createGeneratedClaims((uid) => claims.indexer.byIndex(byOwner, uid));
    const claimIn = (namespace: string | undefined) => (name: string) =>
      claims.indexer.getByKey(`${namespace}/${name}`);
    const groupOf = (pod: CachedPod): CachedPodGroup | undefined => {
      const name = podGroupNameOf(pod);
      return name === undefined ? undefined : groups?.indexer.getByKey(`${pod.metadata?.namespace}/${name}`);
    };
    const isGroupMissing = (pod: CachedPod): boolean => hasGroups && podGroupNameOf(pod) !== undefined && !groupOf(pod);
    const syncClaim = createClaimSync({
      client,
      deleted,
      hasGroups,
      podByKey: (key) => pods.indexer.getByKey(key),
      groupByKey: (key) => groups?.indexer.getByKey(key),
    });

    const { syncPod, syncGroup } = createUserSync({
      client,
      recorder: context.recorder("resource_claim"),
      features: {
        hasAdminAccess: gates.enabled("DRAAdminAccess"),
        hasPrioritizedList: gates.enabled("DRAPrioritizedList"),
      },
      hasGroups,
      generated,
      claimIn,
      templateByKey: (key) => templates.indexer.getByKey(key),
      groupOf,
      isGroupMissing,
      onCreate: metrics.created,
    });

    const loop = createReconcileLoop(context, {
      name: "resource_claim",
      workers: settings.concurrency?.["resourceclaim-controller"] ?? 50,
      async reconcile(key): Promise<WorkResult> {
        const [kind = "", object = ""] = splitOnce(key);
        if (kind === "claim") {
          const claim = claims.indexer.getByKey(object);
          if (claim) await syncClaim(claim);
        } else if (kind === "pod") {
          const pod = pods.indexer.getByKey(object);
          if (pod && !pod.metadata?.deletionTimestamp && !isPodDone(pod)) await syncPod(pod);
        } else {
          const group = groups?.indexer.getByKey(object);
          if (group && !group.metadata?.deletionTimestamp) await syncGroup(group);
        }
      },
    });

    const wakeClaims = (user: ClaimUser): void => {
      for (const name of claimNamesOf(user)) loop.queue.add(`claim:${user.metadata.namespace}/${name}`);
    };
    function wakePod(pod: CachedPod, isDeleted = false): void {
      const user = podUser(pod);
      const extended = pod.status?.extendedResourceClaimStatus;
      if (user.entries.length === 0 && !extended) return;
      if (isDeleted) deleted.add(user.metadata.uid ?? "");
      if (isDeleted || isPodDone(pod)) {
        wakeClaims(user);
        if (extended) loop.queue.add(`claim:${user.metadata.namespace}/${extended.resourceClaimName}`);
      }
      const inputs = { pod, group: groupOf(pod), isGroupMissing: isGroupMissing(pod), hasGroups };
      if (!isDeleted && needsPodWork({ ...inputs, claimByName: claimIn(user.metadata.namespace) }))
        loop.queue.add(`pod:${keyOf(pod)}`);
    }
    function wakeGroup(group: CachedPodGroup, isDeleted = false): void {
      const user = podGroupUser(group);
      if (user.entries.length === 0) return;
      if (isDeleted) {
        deleted.add(user.metadata.uid ?? "");
        wakeClaims(user);
      } else if (needsGroupWork(user, claimIn(user.metadata.namespace))) loop.queue.add(`podgroup:${keyOf(group)}`);
      for (const pod of pods.indexer.byIndex(podGroupIndex, keyOf(group))) wakePod(pod);
    }
    function wakeUsersOf(index: string, key: string): void {
      for (const pod of pods.indexer.byIndex(index, key)) wakePod(pod);
      for (const group of groups?.indexer.byIndex(index, key) ?? []) wakeGroup(group);
    }
    const wakeClaim = (claim: CachedResourceClaim): void => {
      generated.seen(claim);
      loop.queue.add(`claim:${keyOf(claim)}`);
      wakeUsersOf(byClaim, keyOf(claim));
    };
    loop.handle(pods, {
      onAdd: (pod) => wakePod(pod),
      onUpdate: (_, pod) => wakePod(pod),
      onDelete: (pod) => wakePod(pod, true),
    });
    loop.handle(claims, {
      onAdd: wakeClaim,
      onUpdate: (_, claim) => wakeClaim(claim),
      onDelete(claim) {
        generated.seen(claim);
        wakeUsersOf(byClaim, keyOf(claim));
      },
    });
    const wakeTemplate = (template: {
      readonly metadata?: { readonly name?: string; readonly namespace?: string };
    }): void => wakeUsersOf(byTemplate, keyOf(template));
    loop.handle(templates, { onAdd: wakeTemplate, onUpdate: (_, template) => wakeTemplate(template) });
    if (groups)
      loop.handle(groups, {
        onAdd: (group) => wakeGroup(group),
        onUpdate: (_, group) => wakeGroup(group),
        onDelete: (group) => wakeGroup(group, true),
      });
    return loop;
  },
};

function splitOnce(key: string): [string, string] {
  const at = key.indexOf(":");
  return [key.slice(0, at), key.slice(at + 1)];
}
