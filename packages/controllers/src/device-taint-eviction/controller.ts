import type { Pod } from "@coxswain/api/core/v1";
import { equalJson } from "@coxswain/apimachinery/json";
import { splitObjectKey } from "@coxswain/apimachinery/meta";
import { isNotFound } from "@coxswain/apimachinery/status";
import { formatTime } from "@coxswain/apimachinery/time";
import { keyOf } from "@coxswain/client/informers";
import type { WorkResult } from "@coxswain/client/queue";
import type { Controller, ControllerContext } from "../controller/controller.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import { type CachedPod, podCondition } from "../pods/pod-state.js";
import { type CachedResourceClaim, isForGroup, isForPods } from "../resource-claims/claim-user.js";
import { claimsByPool, devicePoolIndex, podGroupIndex, podsByGroup, poolKey } from "../resource-claims/indexes.js";
import { createRecentUids } from "../resource-claims/recent-uids.js";
import { createEvictionMetrics } from "./metrics.js";
import { type CachedSlice, type DeviceEviction, evictingTaintsOf, podEviction } from "./plan.js";
import { createRuleStatus, type RuleStatus } from "./rule-status.js";

const name = "device-taint-eviction-controller";
const slicesByPool = "slicePool";
/** As upstream's (pkg/controller/devicetainteviction/device_taint_eviction.go, maxUIDCacheEntries): pods whose deletion was requested are not deleted again while caches lag behind. */
const rememberedEvictions = 500;

const poolOf = ({ spec }: CachedSlice): string => poolKey(spec.driver, spec.pool.name);

/** Deletes pods whose devices got taints of the effect NoExecute that their claims do not tolerate. */
export const deviceTaintEvictionController: Controller = {
  name,
  aliases: [],
  serviceAccount: name,
  gates: ["DynamicResourceAllocation", "DRADeviceTaints"],
  start(context) {
    const { gates, informers, settings, runtime } = context;
    const hasGroups = gates.enabled("DRAWorkloadResourceClaims");
    const pods = informers.of("core", "v1", "pods", { indexers: podsByGroup });
    const claims = informers.of("resource", "v1", "resourceclaims", { indexers: claimsByPool });
    const slices = informers.of("resource", "v1", "resourceslices", {
      indexers: { [slicesByPool]: (slice) => [poolOf(slice)] },
    });
    const rules = gates.enabled("DRADeviceTaintRules")
      ? informers.of("resource", "v1beta2", "devicetaintrules")
      : undefined;
    const recorder = context.recorder(name);
    const metrics = createEvictionMetrics(runtime.metrics);
    const evicted = createRecentUids(rememberedEvictions);
    /** Evictions to come by pod; of those there is an event when they are cancelled. */
    const scheduled = new Map<string, { readonly uid: string }>();

    const sources = {
      hasGroups,
      slicesOf: (pool: string) => slices.indexer.byIndex(slicesByPool, pool),
      get rules() {
        return rules?.indexer.list().filter(({ spec }) => spec.taint.effect === "NoExecute") ?? [];
      },
    };
    const evictionOf = (pod: CachedPod, from = sources): DeviceEviction | undefined =>
      podEviction(pod, (claim) => claims.indexer.getByKey(`${pod.metadata?.namespace}/${claim}`), from);
    const record = (key: string, uid: string, message: string): void =>
      recorder.event(
        { apiVersion: "v1", kind: "Pod", ...splitObjectKey(key), uid },
        { type: "Normal", reason: "DeviceTaintManagerEviction", message },
      );

    const loop = createReconcileLoop(context, {
      name,
      workers: settings.concurrency?.[name] ?? 8,
      async reconcile(key): Promise<WorkResult> {
        if (key.startsWith("rule:")) return ruleStatus?.update(key.slice("rule:".length));
        const podKey = key.slice("pod:".length);
        const pod = pods.indexer.getByKey(podKey);
        const uid = pod?.metadata?.uid ?? "";
        if (!pod) return void scheduled.delete(podKey);
        const eviction = evictionOf(pod);
        if (!eviction) {
          if (scheduled.delete(podKey)) record(podKey, uid, "Cancelling deletion");
          return;
        }
        if (evicted.has(uid)) return;
        scheduled.set(podKey, { uid });
        for (const rule of eviction.ruleUids) ruleStatus?.soon(rule);
        const waitMs = eviction.atMs - runtime.clock.now();
        if (waitMs > 0) return { requeueAfterMs: waitMs };
        if (await evict(context, { key: podKey, uid, onEvict: () => record(podKey, uid, "Marking for deletion") })) {
          metrics.evicted((runtime.clock.now() - eviction.atMs) / 1000);
          for (const rule of eviction.ruleUids) ruleStatus?.countEviction(rule);
        }
        scheduled.delete(podKey);
        evicted.add(uid);
      },
    });

    const wakePod = (pod: CachedPod): void => loop.queue.add(`pod:${keyOf(pod)}`);
    function wakeUsersOf({ metadata, status }: CachedResourceClaim): void {
      for (const consumer of status?.reservedFor ?? []) {
        const key = `${metadata?.namespace}/${consumer.name}`;
        if (isForPods(consumer)) loop.queue.add(`pod:${key}`);
        else if (hasGroups && isForGroup(consumer)) pods.indexer.byIndex(podGroupIndex, key).forEach(wakePod);
      }
    }
    loop.handle(pods, {
      onAdd: (pod) => (pod.spec?.resourceClaims?.length ? wakePod(pod) : undefined),
      onUpdate(old, pod) {
        const isSame =
          old.spec?.nodeName === pod.spec?.nodeName &&
          equalJson(old.status?.resourceClaimStatuses, pod.status?.resourceClaimStatuses);
        if (!isSame && pod.spec?.resourceClaims?.length) wakePod(pod);
      },
      onDelete: (pod) => void scheduled.delete(keyOf(pod)),
    });
    loop.handle(claims, {
      onAdd: wakeUsersOf,
      onUpdate(old, claim) {
        if (!equalJson(old.status?.reservedFor, claim.status?.reservedFor)) wakeUsersOf(old);
        wakeUsersOf(claim);
      },
      onDelete: wakeUsersOf,
    });
    /** By pool: what made pods leave when it was last looked at. */
    const taints = new Map<string, unknown[]>();
    const wakePool = (slice: CachedSlice): void => {
      const pool = poolOf(slice);
      const there = slices.indexer.byIndex(slicesByPool, pool);
      const now = there.length > 0 ? evictingTaintsOf(there) : [];
      if (equalJson(taints.get(pool) ?? [], now)) return;
      if (now.length > 0) taints.set(pool, now);
      else taints.delete(pool);
      for (const claim of claims.indexer.byIndex(devicePoolIndex, pool)) wakeUsersOf(claim);
    };
    loop.watchFor(slices, (slice) => {
      wakePool(slice);
      return [];
    });
    let ruleStatus: RuleStatus | undefined;
    if (rules) {
      ruleStatus = createRuleStatus({
        context,
        rules: rules.indexer,
        slices: slices.indexer,
        claims: claims.indexer,
        pods: pods.indexer,
        evictionOf: (pod, withRules) => evictionOf(pod, { ...sources, rules: [...withRules] }),
        queue: loop.queue,
      });
      const status = ruleStatus;
      loop.watchFor(rules, (rule, old) => {
        if (old && equalJson(old.spec, rule.spec)) return [];
        // Of any device: rules are few and seldom change.
        for (const claim of claims.indexer.list()) if (claim.status?.allocation) wakeUsersOf(claim);
        return [status.keyOf(rule)];
      });
    }
    return loop;
  },
};

/** Marks the pod as disrupted, so that a Job does not count it as failed, and deletes it; false: it is gone or going. */
async function evict(
  { client, runtime: { clock } }: ControllerContext,
  { key, uid, onEvict }: { key: string; uid: string; onEvict(): void },
): Promise<boolean> {
  const { namespace, name: podName } = splitObjectKey(key) ?? { namespace: "", name: "" };
  const pods = client.core.v1.pods(namespace);
  try {
    const pod = await pods.get(podName);
    if (pod.metadata?.uid !== uid || pod.metadata.deletionTimestamp) return false;
    onEvict();
    const before = podCondition(pod, "DisruptionTarget");
    await pods.subresource<Pod>("status").patch(podName, {
      strategic: {
        metadata: { uid },
        status: {
          conditions: [
            {
              type: "DisruptionTarget",
              status: "True",
              lastTransitionTime:
                before?.status === "True" ? (before.lastTransitionTime ?? null) : formatTime(clock.now()),
              reason: "DeletionByDeviceTaintManager",
              message: "Device Taint manager: deleting due to NoExecute taint",
            },
          ],
        },
      },
    });
    await pods.delete(podName, { preconditions: { uid } });
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}
