import type { DeepReadonly } from "@coxswain/api";
import type { Taint, TaintEffect } from "@coxswain/api/core/v1";

export type CachedTaint = DeepReadonly<Taint>;

/** What makes a taint the same one. */
export interface TaintIdentity {
  readonly key: string;
  readonly effect: TaintEffect;
}

export const isSameTaint = (a: TaintIdentity, b: TaintIdentity): boolean => a.key === b.key && a.effect === b.effect;

export const hasTaint = (taints: readonly CachedTaint[] | undefined, taint: TaintIdentity): boolean =>
  (taints ?? []).some((each) => isSameTaint(each, taint));

/** Pure: the taints with some more, as of `now`, and without others; undefined where that changes nothing. */
export function swapTaints(
  taints: readonly CachedTaint[] | undefined,
  { add, remove, now }: { add: readonly TaintIdentity[]; remove: readonly TaintIdentity[]; now: string },
): CachedTaint[] | undefined {
  const before = taints ?? [];
  const missing = add.filter((taint) => !hasTaint(before, taint));
  const kept = before.filter((taint) => !remove.some((each) => isSameTaint(each, taint)));
  if (missing.length === 0 && kept.length === before.length) return undefined;
  return [...kept, ...missing.map((taint): CachedTaint => ({ ...taint, timeAdded: now }))];
}
