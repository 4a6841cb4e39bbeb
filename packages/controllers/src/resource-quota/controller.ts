import type { ResourceQuota } from "@coxswain/api/core/v1";
import { countObjects, isQuotable } from "@coxswain/api/quota";
import { equalJson } from "@coxswain/apimachinery/json";
import { formatGroupVersion } from "@coxswain/apimachinery/meta";
import { ownKeys } from "@coxswain/apimachinery/own";
import { createLister, keyOf } from "@coxswain/client/informers";
import type { WorkResult } from "@coxswain/client/queue";
import type { Controller } from "../controller/controller.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import { withTimers } from "../controller/with-timers.js";
import { type PreferredResource, preferredResources } from "../discovery/preferred-resources.js";
import { createObjectCounts } from "./object-counts.js";
import { type CachedQuota, type CountedKind, isAffected, planStatus } from "./plan.js";
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
    const syncPeriodMs = settings.resourceQuotaSyncPeriodMs ?? defaultSyncPeriodMs;
    /** By the name that a quota has for their count. */
    let countable: ReadonlyMap<string, PreferredResource> = new Map();
    const quotasIn = (namespace: string): readonly CachedQuota[] =>
      createLister(quotas.indexer).namespace(namespace).list();

    const loop = createReconcileLoop(context, {
      name: "resourcequota_primary",
      workers: settings.concurrency?.["resourcequota-controller"] ?? 5,
      reconcile,
    });
    const counts = createObjectCounts(context, {
      deleted(resource, namespace) {
        const { counts: isCounted } = countObjects(resource.group, resource.resource);
        for (const quota of quotasIn(namespace))
          if (ownKeys(quota.spec?.hard).some(isCounted)) loop.queue.add(keyOf(quota));
      },
      synced(keys) {
        for (const key of keys) loop.queue.add(key);
      },
    });
    loop.handle(quotas, {
      onAdd: (quota) => loop.queue.add(keyOf(quota)),
      onUpdate(old, quota) {
        // The status is written by this controller and by admission, neither of which is news.
        if (!equalJson(old.spec, quota.spec)) loop.queue.add(keyOf(quota));
      },
      onDelete: (quota) => loop.queue.add(keyOf(quota)),
    });
    for (const { informer, evaluator } of usedKinds)
      loop.handle(informer, {
        // New objects are charged by admission.
        onUpdate(old, object) {
          for (const quota of quotasIn(object.metadata?.namespace ?? ""))
            if (isAffected(quota, evaluator, [old, object])) loop.queue.add(keyOf(quota));
        },
        onDelete({ metadata }) {
          for (const quota of quotasIn(metadata?.namespace ?? ""))
            if (ownKeys(quota.spec?.hard).some((name) => evaluator.counts(name))) loop.queue.add(keyOf(quota));
        },
      });

    const upkeep = withTimers(context, "upkeep");
    const discovery = createReconcileLoop(upkeep, {
      name: "resource_quota_controller_resources",
      workers: 1,
      async reconcile() {
        const surface = await context.discovery.surface();
        const failed = new Set(surface.failed.map(formatGroupVersion));
        const found = countableOf(preferredResources(surface));
        // What an API server serves that does not answer at present is kept.
        for (const [name, resource] of countable)
          if (!found.has(name) && failed.has(formatGroupVersion(resource))) found.set(name, resource);
        const isNews = !equalJson([...countable], [...found]);
        countable = found;
        if (isNews) for (const quota of quotas.indexer.list()) loop.queue.add(keyOf(quota));
        return { requeueAfterMs: discoveryPeriodMs };
      },
    });
    context.discovery.onChange(informers, () => discovery.queue.add(everything));

    /** By name of their count; kinds of which more is counted are counted from their own caches. */
    function countableOf(resources: readonly PreferredResource[]): Map<string, PreferredResource> {
      const own = new Set(usedKinds.map(({ resource }) => resource));
      const found = new Map<string, PreferredResource>();
      for (const each of resources) {
        const { group, resource, namespaced, verbs } = each;
        const isWatched = ["create", "list", "watch", "delete"].every((verb) => verbs.includes(verb));
        if (!namespaced || !isWatched || own.has(`${group}/${resource}`) || !isQuotable(group, resource)) continue;
        for (const name of countObjects(group, resource).usage({}).keys()) found.set(name, each);
      }
      return found;
    }

    async function reconcile(key: string): Promise<WorkResult> {
      // Nothing is known to be countable before discovery has answered.
      if (countable.size === 0) return;
      const quota = quotas.indexer.getByKey(key);
      const named = ownKeys(quota?.spec?.hard).flatMap((name) => countable.get(name) ?? []);
      const resources = [...new Set(named)];
      await counts.need(key, resources);
      if (!quota) return;
      const { namespace = "" } = quota.metadata ?? {};
      const kinds: CountedKind[] = usedKinds.map(({ evaluator, objects }) => ({
        evaluator,
        objects: () => objects(namespace),
      }));
      for (const resource of resources) {
        const objects = counts.objects(resource, namespace);
        if (objects === undefined) return; // woken when the cache is filled
        kinds.push({ evaluator: countObjects(resource.group, resource.resource), objects: () => objects });
      }
      const status = planStatus(quota, kinds);
      if (status) await client.core.v1.resourcequotas(namespace).updateStatus({ ...(quota as ResourceQuota), status });
      return { requeueAfterMs: syncPeriodMs };
    }

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
