import { equalJson } from "@coxswain/apimachinery/json";
import type { Controller } from "../controller/controller.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import { claimsByPool, podsByGroup } from "../resource-claims/indexes.js";
import { createRecentUids } from "../resource-claims/recent-uids.js";
import { createEvictionMetrics } from "./metrics.js";
import { evictionOf, reconcileEviction, type TaintEvictionWork } from "./reconcile-eviction.js";
import { createRuleStatus } from "./rule-status.js";
import { slicePoolIndex, slicesByPool, type WatchedDevices, wakeUsersOf, watchDevices } from "./watch-devices.js";

const name = "device-taint-eviction-controller";
/** As upstream's (pkg/controller/devicetainteviction/device_taint_eviction.go, maxUIDCacheEntries): pods whose deletion was requested are not deleted again while caches lag behind. */
const rememberedEvictions = 500;

/** Deletes pods whose devices got taints of the effect NoExecute that their claims do not tolerate. */
export const deviceTaintEvictionController: Controller = {
  name,
  aliases: [],
  serviceAccount: name,
  gates: ["DynamicResourceAllocation", "DRADeviceTaints"],
  start(context) {
    const { client, gates, informers, settings, runtime } = context;
    const hasGroups = gates.enabled("DRAWorkloadResourceClaims");
    const pods = informers.of("core", "v1", "pods", { indexers: podsByGroup });
    const claims = informers.of("resource", "v1", "resourceclaims", { indexers: claimsByPool });
    const slices = informers.of("resource", "v1", "resourceslices", { indexers: slicesByPool });
    const rules = gates.enabled("DRADeviceTaintRules")
      ? informers.of("resource", "v1beta2", "devicetaintrules")
      : undefined;
    const sources = {
      hasGroups,
      slicesOf: (pool: string) => slices.indexer.byIndex(slicePoolIndex, pool),
      get rules() {
        return rules?.indexer.list().filter(({ spec }) => spec.taint.effect === "NoExecute") ?? [];
      },
    };
    const caches = { pods: pods.indexer, claims: claims.indexer, slices: slices.indexer };
    const loop = createReconcileLoop(context, {
      name,
      workers: settings.concurrency?.[name] ?? 8,
      reconcile: (key) => reconcileEviction(work, key),
    });
    const ruleStatus =
      rules &&
      createRuleStatus({
        context,
        ...caches,
        rules: rules.indexer,
        evictionOf: (pod, withRules) => evictionOf(work, pod, { ...sources, rules: [...withRules] }),
        queue: loop.queue,
      });
    const work: TaintEvictionWork = {
      client,
      clock: runtime.clock,
      recorder: context.recorder(name),
      metrics: createEvictionMetrics(runtime.metrics),
      ...caches,
      sources,
      scheduled: new Map(),
      evicted: createRecentUids(rememberedEvictions),
      ruleStatus,
    };
    const watched: WatchedDevices = { loop, hasGroups, pods, claims, slices, taints: new Map() };
    watchDevices(watched, (key) => void work.scheduled.delete(key));
    if (rules && ruleStatus)
      loop.watchFor(rules, (rule, old) => {
        if (old && equalJson(old.spec, rule.spec)) return [];
        // Of any device: rules are few and seldom change.
        for (const claim of claims.indexer.list()) if (claim.status?.allocation) wakeUsersOf(watched, claim);
        return [ruleStatus.keyOf(rule)];
      });
    return loop;
  },
};
