import type { ResourceQuota } from "@coxswain/api/core/v1";
import { countObjects, isQuotable } from "@coxswain/api/quota";
import { ownKeys } from "@coxswain/apimachinery/own";
import type { Client } from "@coxswain/client";
import type { ReadonlyIndexer } from "@coxswain/client/informers";
import { createLister } from "@coxswain/client/informers";
import type { WorkResult } from "@coxswain/client/queue";
import type { PreferredResource } from "../discovery/preferred-resources.js";
import type { ObjectCounts } from "./object-counts.js";
import { type CachedQuota, type CountedKind, planStatus } from "./plan.js";
import type { UsedKind } from "./used-kinds.js";

/** What the work on all quotas shares. */
export interface QuotaWork {
  readonly client: Client;
  readonly quotas: ReadonlyIndexer<CachedQuota>;
  readonly usedKinds: readonly UsedKind[];
  readonly counts: ObjectCounts;
  /** By the name that a quota has for their count: what discovery lists. */
  countable: ReadonlyMap<string, PreferredResource>;
  /** How often each quota is computed again. */
  readonly syncPeriodMs: number;
}

export const quotasIn = ({ quotas }: QuotaWork, namespace: string): readonly CachedQuota[] =>
  createLister(quotas).namespace(namespace).list();

/** By name of their count; kinds of which more is counted are counted from their own caches. */
export function countableOf(
  { usedKinds }: QuotaWork,
  resources: readonly PreferredResource[],
): Map<string, PreferredResource> {
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

/** Counts what a quota limits, and writes it into its status. */
export async function reconcileQuota(
  { countable, quotas, counts, usedKinds, client, syncPeriodMs }: QuotaWork,
  key: string,
): Promise<WorkResult> {
  // Nothing is known to be countable before discovery has answered.
  if (countable.size === 0) return;
  const quota = quotas.getByKey(key);
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
