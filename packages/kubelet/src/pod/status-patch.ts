import type { PodCondition, PodStatus } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import { isKubeletCondition } from "./conditions.js";
import { equalStatus } from "./equal-status.js";

type Stored = DeepReadonly<PodStatus>;

/** Members that are replaced or deleted as a whole. */
const plainMembers = [
  "observedGeneration",
  "phase",
  "message",
  "reason",
  "hostIP",
  "podIP",
  "startTime",
  "initContainerStatuses",
  "containerStatuses",
  "ephemeralContainerStatuses",
  "allocatedResources",
  "resources",
] as const satisfies readonly (keyof PodStatus)[];

/** Conditions that the kubelet adds beside those of its own, once. */
const isWritten = (type: string): boolean => isKubeletCondition(type) || type === "DisruptionTarget";

/**
 * Pure: the strategic merge patch that takes a stored status to the one wanted, or undefined where nothing differs.
 * Conditions are merged by type, so that those that others write meanwhile stay.
 */
export function planStatusPatch(stored: Stored, wanted: Stored): Record<string, unknown> | undefined {
  const patch: Record<string, unknown> = {};
  for (const member of plainMembers) {
    if (equalStatus(stored[member] ?? null, wanted[member] ?? null)) continue;
    patch[member] = wanted[member] ?? null;
  }
  for (const member of ["hostIPs", "podIPs"] as const) {
    const addresses = patchAddresses(stored[member] ?? [], wanted[member] ?? []);
    if (addresses) patch[member] = addresses;
  }
  const conditions = patchConditions(stored.conditions ?? [], wanted.conditions ?? []);
  if (conditions.length > 0) patch["conditions"] = conditions;
  return Object.keys(patch).length === 0 ? undefined : patch;
}

/** Addresses merge by themselves: what is gone must be deleted by name. */
function patchAddresses(
  stored: readonly { readonly ip?: string }[],
  wanted: readonly { readonly ip?: string }[],
): unknown[] | undefined {
  if (equalStatus(stored, wanted)) return undefined;
  const kept = new Set(wanted.map(({ ip }) => ip));
  const gone = stored.filter(({ ip }) => !kept.has(ip)).map(({ ip }) => ({ ip, $patch: "delete" }));
  return [...wanted, ...gone];
}

function patchConditions(
  stored: readonly DeepReadonly<PodCondition>[],
  wanted: readonly DeepReadonly<PodCondition>[],
): unknown[] {
  const before = new Map(stored.map((condition) => [condition.type as string, condition]));
  const after = new Set(wanted.map(({ type }) => type as string));
  const changed = wanted
    .filter((condition) => isWritten(condition.type) && !equalStatus(before.get(condition.type) ?? null, condition))
    .map((condition) => ({ ...absentMembers(before.get(condition.type), condition), ...condition }));
  const gone = stored
    .filter(({ type }) => isKubeletCondition(type) && !after.has(type))
    .map(({ type }) => ({ type, $patch: "delete" }));
  return [...changed, ...gone];
}

/** Members that the condition had and no longer has, as nulls. */
function absentMembers(
  before: DeepReadonly<PodCondition> | undefined,
  after: DeepReadonly<PodCondition>,
): Record<string, null> {
  const absent: Record<string, null> = {};
  for (const member of Object.keys(before ?? {})) if (!Object.hasOwn(after, member)) absent[member] = null;
  return absent;
}
