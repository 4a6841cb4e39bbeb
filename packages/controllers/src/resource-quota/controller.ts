import { countObjects } from "@coxswain/api/quota";
import { equalJson } from "@coxswain/apimachinery/json";
import { formatGroupVersion } from "@coxswain/apimachinery/meta";
import { ownKeys } from "@coxswain/apimachinery/own";
import type { ApiSurface } from "@coxswain/client/discovery";
import { keyOf, type SharedIndexInformer } from "@coxswain/client/informers";
import type { Controller } from "../controller/controller.js";
import { createReconcileLoop, type ReconcileLoop } from "../controller/reconcile-loop.js";
import { withTimers } from "../controller/with-timers.js";
import { preferredResources } from "../discovery/preferred-resources.js";
import { createObjectCounts } from "./object-counts.js";
import { type CachedQuota, isAffected } from "./plan.js";
import { countableOf, type QuotaWork, quotasIn, reconcileQuota } from "./reconcile-quota.js";
import { createUsedKinds } from "./used-kinds.js";

/** How often discovery is asked what there is to count, in milliseconds. Changes of CRDs and APIServices ask at once. */
const discoveryPeriodMs = 30_000;
/** Each quota is computed anew at least so often: pods cease to count when they should have gone, for which there is no event. */
const defaultSyncPeriodMs = 300_000;
/** The one key of the queue that asks discovery. */
const everything = "resources";

/** Computes how much of each quota is used. */
export const resourceQuotaController: Controller = {
  name: "resourcequota-controller",
  aliases: ["resourcequota"],
  serviceAccount: "resourcequota-controller",
  start(context) {
    const { client, informers, settings } = context;
    const quotas = informers.of("core", "v1", "resourcequotas");
    const usedKinds = createUsedKinds(context);

    const loop = createReconcileLoop(context, {
      name: "resourcequota_primary",
      workers: settings.concurrency?.["resourcequota-controller"] ?? 5,
      reconcile: (key) => reconcileQuota(work, key),
    });
    const counts = createObjectCounts(context, {
      deleted(resource, namespace) {
        const { counts: isCounted } = countObjects(resource.group, resource.resource);
        for (const quota of quotasIn(work, namespace))
          if (ownKeys(quota.spec?.hard).some(isCounted)) loop.queue.add(keyOf(quota));
      },
      synced(keys) {
        for (const key of keys) loop.queue.add(key);
      },
    });
    const work: QuotaWork = {
      client,
      quotas: quotas.indexer,
      usedKinds,
      counts,
      countable: new Map(),
      syncPeriodMs: settings.resourceQuotaSyncPeriodMs ?? defaultSyncPeriodMs,
    };
    watchQuotas(loop, quotas, work);

    const upkeep = withTimers(context, "upkeep");
    const discovery = createReconcileLoop(upkeep, {
      name: "resource_quota_controller_resources",
      workers: 1,
      async reconcile() {
        if (followDiscovery(work, await context.discovery.surface()))
          for (const quota of quotas.indexer.list()) loop.queue.add(keyOf(quota));
        return { requeueAfterMs: discoveryPeriodMs };
      },
    });
    context.discovery.onChange(informers, () => discovery.queue.add(everything));

    return {
      run() {
        discovery.queue.add(everything);
        discovery.run();
        loop.run();
      },
      async stop() {
        await Promise.all([loop.stop(), discovery.stop()]);
        await counts.stop();
      },
    };
  },
};

/** Answers whether what can be counted has changed. */
function followDiscovery(work: QuotaWork, surface: ApiSurface): boolean {
  const failed = new Set(surface.failed.map(formatGroupVersion));
  const found = countableOf(work, preferredResources(surface));
  // What an API server serves that does not answer at present is kept.
  for (const [name, resource] of work.countable)
    if (!found.has(name) && failed.has(formatGroupVersion(resource))) found.set(name, resource);
  const isNews = !equalJson([...work.countable], [...found]);
  work.countable = found;
  return isNews;
}

function watchQuotas(loop: ReconcileLoop, quotas: SharedIndexInformer<CachedQuota>, work: QuotaWork): void {
  loop.handle(quotas, {
    onAdd: (quota) => loop.queue.add(keyOf(quota)),
    onUpdate(old, quota) {
      // The status is written by this controller and by admission, neither of which is news.
      if (!equalJson(old.spec, quota.spec)) loop.queue.add(keyOf(quota));
    },
    onDelete: (quota) => loop.queue.add(keyOf(quota)),
  });
  for (const { informer, evaluator } of work.usedKinds)
    loop.handle(informer, {
      // New objects are charged by admission.
      onUpdate(old, object) {
        for (const quota of quotasIn(work, object.metadata?.namespace ?? ""))
          if (isAffected(quota, evaluator, [old, object])) loop.queue.add(keyOf(quota));
      },
      onDelete({ metadata }) {
        for (const quota of quotasIn(work, metadata?.namespace ?? ""))
          if (ownKeys(quota.spec?.hard).some((name) => evaluator.counts(name))) loop.queue.add(keyOf(quota));
      },
    });
}
