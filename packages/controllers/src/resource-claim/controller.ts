import type { WorkResult } from "@coxswain/client/queue";
import type { Controller } from "../controller/controller.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import { createRecentUids } from "../resource-claims/recent-uids.js";
import { createClaimCaches } from "./claim-caches.js";
import { createGeneratedClaims } from "./generated-claims.js";
import { byOwner } from "./indexes.js";
import { createClaimMetrics } from "./metrics.js";
import { isPodDone } from "./plan-user.js";
import { createClaimSync } from "./sync-claim.js";
import { syncGroup, syncPod, type UserSync } from "./sync-user.js";
import { watchClaims } from "./watch-claims.js";

/** As upstream's (pkg/controller/resourceclaim/controller.go, maxUIDCacheEntries): deletions that were seen spare a request each. */
const rememberedDeletions = 500;

/** Makes claims of devices by templates, keeps who they are reserved for, and gives devices back. */
export const resourceClaimController: Controller = {
  name: "resourceclaim-controller",
  aliases: ["resource-claim-controller"],
  serviceAccount: "resource-claim-controller",
  gates: ["DynamicResourceAllocation"],
  start(context) {
    const { client, gates, settings } = context;
    const caches = createClaimCaches(context);
    const { hasGroups, pods, claims, templates, groups } = caches;
    const metrics = createClaimMetrics(context.runtime.metrics, () => claims.indexer.list());
    const deleted = createRecentUids(rememberedDeletions);
    const generated = createGeneratedClaims((uid) => claims.indexer.byIndex(byOwner, uid));
    const syncClaim = createClaimSync({
      client,
      deleted,
      hasGroups,
      podByKey: (key) => pods.indexer.getByKey(key),
      groupByKey: (key) => groups?.indexer.getByKey(key),
    });

    const sync: UserSync = {
      ...caches,
      client,
      recorder: context.recorder("resource_claim"),
      features: {
        hasAdminAccess: gates.enabled("DRAAdminAccess"),
        hasPrioritizedList: gates.enabled("DRAPrioritizedList"),
      },
      generated,
      templateByKey: (key) => templates.indexer.getByKey(key),
      onCreate: metrics.created,
    };

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
          if (pod && !pod.metadata?.deletionTimestamp && !isPodDone(pod)) await syncPod(sync, pod);
        } else {
          const group = groups?.indexer.getByKey(object);
          if (group && !group.metadata?.deletionTimestamp) await syncGroup(sync, group);
        }
      },
    });
    watchClaims({ ...caches, loop, deleted, generated });
    return loop;
  },
};

function splitOnce(key: string): [string, string] {
  const at = key.indexOf(":");
  return [key.slice(0, at), key.slice(at + 1)];
}
