import type { DeepReadonly } from "@coxswain/api";
import type { Device, DeviceTaint, DeviceToleration, ResourceSlice } from "@coxswain/api/resource/v1";
import type { DeviceTaintRule } from "@coxswain/api/resource/v1beta2";
import { largest } from "@coxswain/apimachinery/append";
import { parseTimeMs } from "@coxswain/apimachinery/time";
import type { CachedPod } from "../pods/pod-state.js";
import {
  type CachedResourceClaim,
  claimNameOf,
  isClaimForPod,
  isReservedFor,
  podUser,
} from "../resource-claims/claim-user.js";
import { poolKey } from "../resource-claims/indexes.js";

export type CachedSlice = DeepReadonly<ResourceSlice>;
export type CachedRule = DeepReadonly<DeviceTaintRule>;
type CachedTaint = DeepReadonly<Pick<DeviceTaint, "key" | "value" | "effect" | "timeAdded">>;

/** When pods must go, in milliseconds, and the uids of the rules that demand it. */
export interface DeviceEviction {
  readonly atMs: number;
  readonly ruleUids: readonly string[];
}

/** Pure: only the newest generation of a pool counts; older slices are about to go. */
export function deviceIn(slices: readonly CachedSlice[], name: string): DeepReadonly<Device> | undefined {
  const newest = largest(slices.map(({ spec }) => spec.pool.generation));
  for (const { spec } of slices) {
    if (spec.pool.generation !== newest) continue;
    const device = spec.devices?.find((each) => each.name === name);
    if (device) return device;
  }
  return undefined;
}

/** Pure: the taints of a pool that make pods leave, to see whether a change of a slice concerns anybody. */
export const evictingTaintsOf = (slices: readonly CachedSlice[]): unknown[] => {
  const newest = largest(slices.map(({ spec }) => spec.pool.generation));
  return slices
    .filter(({ spec }) => spec.pool.generation === newest)
    .flatMap(({ spec }) => spec.devices ?? [])
    .map(({ name, taints = [] }) => ({ name, taints: taints.filter(({ effect }) => effect === "NoExecute") }))
    .filter(({ taints }) => taints.length > 0)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
};

/** Pure: whether a rule is about a device. Without a selector it is about none. */
export function ruleMatches(
  { spec }: CachedRule,
  device: { readonly driver: string; readonly pool: string; readonly device: string },
): boolean {
  const { deviceSelector: selector } = spec;
  if (!selector) return false;
  return (
    (selector.driver === undefined || selector.driver === device.driver) &&
    (selector.pool === undefined || selector.pool === device.pool) &&
    (selector.device === undefined || selector.device === device.device)
  );
}

/** Pure: of NoExecute; an empty key or effect covers all. */
export function toleratesDevice(toleration: DeepReadonly<DeviceToleration>, taint: CachedTaint): boolean {
  if (toleration.effect && toleration.effect !== taint.effect) return false;
  if (toleration.key && toleration.key !== taint.key) return false;
  switch (toleration.operator ?? "Equal") {
    case "Equal":
      return (toleration.value ?? "") === (taint.value ?? "");
    case "Exists":
      return true;
    default:
      return false;
  }
}

export interface TaintSources {
  slicesOf(pool: string): readonly CachedSlice[];
  /** Those whose effect is NoExecute. */
  readonly rules: readonly CachedRule[];
}

/** Pure: when the users of a claim must go: at the first of the taints that its devices have and its tolerations do not cover. */
export function claimEviction({ status }: CachedResourceClaim, sources: TaintSources): DeviceEviction | undefined {
  let atMs: number | undefined;
  const ruleUids = new Set<string>();
  for (const result of status?.allocation?.devices?.results ?? []) {
    const device = deviceIn(sources.slicesOf(poolKey(result.driver, result.pool)), result.device);
    const found: { readonly taint: CachedTaint; readonly ruleUid?: string }[] = [
      ...(device?.taints ?? []).filter(({ effect }) => effect === "NoExecute").map((taint) => ({ taint })),
      ...sources.rules
        .filter((rule) => ruleMatches(rule, result))
        .map(({ spec, metadata }) => ({ taint: spec.taint, ruleUid: metadata?.uid ?? "" })),
    ];
    for (const { taint, ruleUid } of found) {
      const tolerated = toleratedMs(result.tolerations ?? [], taint);
      if (tolerated === undefined) continue;
      if (ruleUid !== undefined) ruleUids.add(ruleUid);
      const when = (taint.timeAdded === undefined ? 0 : (parseTimeMs(taint.timeAdded) ?? 0)) + tolerated;
      if (atMs === undefined || when < atMs) atMs = when;
    }
  }
  return atMs === undefined ? undefined : { atMs, ruleUids: [...ruleUids] };
}

/** For how long a taint is tolerated; undefined: for ever. */
function toleratedMs(tolerations: readonly DeepReadonly<DeviceToleration>[], taint: CachedTaint): number | undefined {
  let shortest: number | undefined;
  for (const toleration of tolerations) {
    if (toleration.effect !== "NoExecute" || !toleratesDevice(toleration, taint)) continue;
    if (toleration.tolerationSeconds === undefined) return undefined;
    const seconds = Math.max(0, toleration.tolerationSeconds);
    if (shortest === undefined || seconds < shortest) shortest = seconds;
  }
  return (shortest ?? 0) * 1000;
}

export type EvictionSources = TaintSources & { readonly hasGroups: boolean };

/** Pure: when a pod must go, by all of its claims; undefined: it may stay. */
export function podEviction(
  pod: CachedPod,
  claimByName: (name: string) => CachedResourceClaim | undefined,
  { hasGroups, ...sources }: EvictionSources,
): DeviceEviction | undefined {
  if (!pod.spec?.nodeName) return undefined;
  const user = podUser(pod);
  let eviction: DeviceEviction | undefined;
  for (const entry of user.entries) {
    const named = claimNameOf(user, entry);
    if (named.kind !== "named" && named.kind !== "generated") continue;
    const claim = claimByName(named.name);
    if (!claim || (named.kind === "generated" && !isClaimForPod(claim, pod, { hasGroups }))) continue;
    if (!isReservedFor(claim, pod, { hasGroups })) continue;
    const next = claimEviction(claim, sources);
    if (!next) continue;
    eviction = eviction
      ? {
          atMs: Math.min(eviction.atMs, next.atMs),
          ruleUids: [...new Set([...eviction.ruleUids, ...next.ruleUids])],
        }
      : next;
  }
  return eviction;
}
