import { equalJson } from "@coxswain/apimachinery/json";
import { formatTime, parseTimeMs } from "@coxswain/apimachinery/time";
import type { RateLimitingQueue, WorkResult } from "@coxswain/client/queue";
import type { ReadonlyIndexer } from "@coxswain/client/stores";
import type { ControllerContext } from "../controller/controller.js";
import type { CachedPod } from "../pods/pod-state.js";
import type { CachedResourceClaim } from "../resource-claims/claim-user.js";
import { type CachedRule, type CachedSlice, type DeviceEviction, ruleMatches } from "./plan.js";
import { ruleCondition } from "./rule-condition.js";

/** As upstream's (pkg/controller/devicetainteviction/device_taint_eviction.go, ruleStatusPeriod): how often the condition of a rule changes at most. */
const periodMs = 10_000;

/** Writes what becomes of pods by each DeviceTaintRule. */
export interface RuleStatus {
  keyOf(rule: CachedRule): string;
  /** Something is about to happen by the rule of this uid. */
  soon(ruleUid: string): void;
  countEviction(ruleUid: string): void;
  update(name: string): Promise<WorkResult>;
}

export interface RuleStatusDeps {
  readonly context: ControllerContext;
  readonly rules: ReadonlyIndexer<CachedRule>;
  readonly slices: ReadonlyIndexer<CachedSlice>;
  readonly claims: ReadonlyIndexer<CachedResourceClaim>;
  readonly pods: ReadonlyIndexer<CachedPod>;
  evictionOf(pod: CachedPod, rules: readonly CachedRule[]): DeviceEviction | undefined;
  readonly queue: RateLimitingQueue<string>;
}

export function createRuleStatus(deps: RuleStatusDeps): RuleStatus {
  const { client } = deps.context;
  const { clock } = deps.context.runtime;
  const evicted = new Map<string, number>();
  const keyOf = ({ metadata }: CachedRule): string => `rule:${metadata?.name}`;
  const later = (ruleUid: string): void => {
    const rule = deps.rules.list().find(({ metadata }) => metadata?.uid === ruleUid);
    if (rule) deps.queue.addAfter(keyOf(rule), periodMs);
  };

  /** A rule without effect is counted as if it had one. */
  function countPods(rule: CachedRule): { pods: number; namespaces: number } {
    const { effect } = rule.spec.taint;
    if (effect !== "NoExecute" && effect !== "None") return { pods: 0, namespaces: 0 };
    const evicting = { ...rule, spec: { ...rule.spec, taint: { ...rule.spec.taint, effect: "NoExecute" as const } } };
    const uid = rule.metadata?.uid ?? "";
    const namespaces = new Set<string>();
    let pods = 0;
    for (const pod of deps.pods.list()) {
      if (!pod.spec?.resourceClaims?.length || pod.metadata?.deletionTimestamp) continue;
      if (!deps.evictionOf(pod, [evicting])?.ruleUids.includes(uid)) continue;
      pods++;
      namespaces.add(pod.metadata?.namespace ?? "");
    }
    return { pods, namespaces: namespaces.size };
  }

  function countDevices(rule: CachedRule): { publishedDevices: number; allocatedDevices: number } {
    if (rule.spec.taint.effect !== "None") return { publishedDevices: 0, allocatedDevices: 0 };
    const newest = new Map<string, number>();
    const pool = ({ spec }: CachedSlice): string => `${spec.driver}/${spec.pool.name}`;
    for (const slice of deps.slices.list())
      newest.set(pool(slice), Math.max(newest.get(pool(slice)) ?? 0, slice.spec.pool.generation));
    let publishedDevices = 0;
    for (const slice of deps.slices.list())
      if (slice.spec.pool.generation === newest.get(pool(slice)))
        for (const { name } of slice.spec.devices ?? [])
          if (ruleMatches(rule, { driver: slice.spec.driver, pool: slice.spec.pool.name, device: name }))
            publishedDevices++;
    const allocatedDevices = deps.claims
      .list()
      .flatMap(({ status }) => status?.allocation?.devices?.results ?? [])
      .filter((device) => ruleMatches(rule, device)).length;
    return { publishedDevices, allocatedDevices };
  }

  return {
    keyOf,
    soon: later,
    countEviction(ruleUid) {
      evicted.set(ruleUid, (evicted.get(ruleUid) ?? 0) + 1);
      later(ruleUid);
    },
    async update(name) {
      const rule = deps.rules.getByKey(name);
      if (!rule) return;
      const before = rule.status?.conditions?.find(({ type }) => type === "EvictionInProgress");
      const sinceMs = clock.now() - (parseTimeMs(before?.lastTransitionTime ?? "") ?? 0);
      if (before && before.observedGeneration === rule.metadata?.generation && sinceMs < periodMs)
        return { requeueAfterMs: periodMs - sinceMs };
      const condition = ruleCondition(
        rule,
        { ...countPods(rule), ...countDevices(rule), evicted: evicted.get(rule.metadata?.uid ?? "") ?? 0 },
        formatTime(clock.now()),
      );
      if (before && equalJson({ ...condition, lastTransitionTime: before.lastTransitionTime }, before)) return;
      await client.resource.v1beta2.devicetaintrules().applyStatus(
        {
          metadata: { name, ...(rule.metadata?.uid && { uid: rule.metadata.uid }) },
          status: { conditions: [condition] },
        },
        { fieldManager: "device-taint-eviction-controller", force: true },
      );
    },
  };
}
