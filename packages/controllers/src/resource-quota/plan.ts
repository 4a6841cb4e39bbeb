import type { DeepReadonly } from "@coxswain/api";
import type { ResourceQuota, ResourceQuotaStatus } from "@coxswain/api/core/v1";
import {
  type Amounts,
  addTo,
  equalAmounts,
  only,
  readAmounts,
  scopesOf,
  type UsageEvaluator,
  writeAmounts,
  zero,
} from "@coxswain/api/quota";
import { equalJson } from "@coxswain/apimachinery/json";
import { ownKeys } from "@coxswain/apimachinery/own";

export type CachedQuota = DeepReadonly<ResourceQuota>;

/** Objects of one kind in the quota's namespace. */
export interface CountedKind {
  readonly evaluator: UsageEvaluator;
  objects(): Iterable<object>;
}

/** Pure: the status with the usage as it is; undefined: it has that already. What nobody can count stays as it was. */
export function planStatus(quota: CachedQuota, kinds: readonly CountedKind[]): ResourceQuotaStatus | undefined {
  const { hard = {} } = quota.spec ?? {};
  const before = readAmounts(quota.status?.used);
  const names = new Set(ownKeys(hard));
  const used = only(new Map([...before, ...usageOf(quota, kinds)]), names);
  const isSame =
    quota.status?.hard !== undefined &&
    quota.status.used !== undefined &&
    equalJson(quota.status.hard, hard) &&
    equalAmounts(used, before);
  return isSame ? undefined : { hard: { ...hard }, used: writeAmounts(used) };
}

/** Zero for what can be counted and is not there. */
function usageOf(quota: CachedQuota, kinds: readonly CountedKind[]): Amounts {
  const names = ownKeys(quota.spec?.hard);
  const scopes = scopesOf(quota);
  const sum = new Map<string, typeof zero>();
  for (const { evaluator, objects } of kinds) {
    const counted = names.filter((name) => evaluator.counts(name));
    if (counted.length === 0) continue;
    for (const name of counted) sum.set(name, sum.get(name) ?? zero);
    for (const object of objects())
      if (scopes.every((scope) => evaluator.isInScope?.(scope, object) ?? false)) addTo(sum, evaluator.usage(object));
  }
  return only(sum, new Set(names));
}

/** Pure: whether an update changes what the quota counts. */
export function isAffected(
  quota: CachedQuota,
  evaluator: UsageEvaluator,
  [old, object]: readonly [object, object],
): boolean {
  if (!ownKeys(quota.spec?.hard).some((name) => evaluator.counts(name))) return false;
  const isIn = (state: object): boolean =>
    scopesOf(quota).every((scope) => evaluator.isInScope?.(scope, state) ?? false);
  return isIn(old) !== isIn(object) || !equalAmounts(evaluator.usage(old), evaluator.usage(object));
}
