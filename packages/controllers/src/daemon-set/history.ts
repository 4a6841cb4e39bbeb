import type { ControllerRevision } from "@coxswain/api/apps/v1";
import { largest } from "@coxswain/apimachinery/append";
import { equalJson } from "@coxswain/apimachinery/json";
import { getOwn } from "@coxswain/apimachinery/own";
import { isAlreadyExists } from "@coxswain/apimachinery/status";
import type { Client } from "@coxswain/client";
import { controllerReference } from "@coxswain/client/controller";
import { byRevision, type CachedRevision, templatePatch } from "../controller-revisions/revision-data.js";
import { podTemplateHash } from "../pod-template-hash/pod-template-hash.js";
import type { CachedPod } from "../pods/pod-state.js";
import { type CachedDaemonSet, daemonSetKind, hashLabel } from "./daemon-pod.js";

export interface DaemonHistory {
  readonly current: CachedRevision;
  readonly old: readonly CachedRevision[];
}

/** The revision of the DaemonSet's template, made or made the newest where it is not; of several with that template one stays. */
export async function syncHistory(
  client: Client,
  daemonSet: CachedDaemonSet,
  revisions: readonly CachedRevision[],
  pods: readonly CachedPod[],
): Promise<DaemonHistory> {
  const { namespace = "" } = daemonSet.metadata ?? {};
  const data = templatePatch(daemonSet.spec?.template);
  const equal = revisions.filter((revision) => equalJson(revision.data, data)).sort(byRevision);
  const old = revisions.filter((revision) => !equal.includes(revision));
  const number =
    largest(
      old.map(({ revision }) => revision),
      0,
    ) + 1;
  const kept = equal.at(-1);
  if (!kept) return { current: await snapshot(client, daemonSet, number), old };
  await dropDuplicates(client, kept, equal.slice(0, -1), pods);
  if (kept.revision >= number) return { current: kept, old };
  const renumbered = { ...(kept as ControllerRevision), revision: number };
  return { current: await client.apps.v1.controllerrevisions(namespace).update(renumbered), old };
}

export const hashOf = ({ metadata }: CachedRevision): string =>
  getOwn(metadata?.labels, hashLabel) ?? metadata?.name ?? "";

/** Their pods belong to the one that stays. */
async function dropDuplicates(
  client: Client,
  kept: CachedRevision,
  duplicates: readonly CachedRevision[],
  pods: readonly CachedPod[],
): Promise<void> {
  if (duplicates.length === 0) return;
  const { namespace = "" } = kept.metadata ?? {};
  for (const { metadata } of pods) {
    if (getOwn(metadata?.labels, hashLabel) === hashOf(kept)) continue;
    const labels = { [hashLabel]: hashOf(kept) };
    await client.core.v1.pods(namespace).patch(metadata?.name ?? "", { merge: { metadata: { labels } } });
  }
  for (const { metadata } of duplicates)
    await client.apps.v1.controllerrevisions(namespace).delete(metadata?.name ?? "");
}

/** @throws StatusError AlreadyExists where another template has the same hash; the next try takes another one */
async function snapshot(client: Client, daemonSet: CachedDaemonSet, revision: number): Promise<CachedRevision> {
  const { metadata = {}, spec, status } = daemonSet;
  const { namespace = "" } = metadata;
  const hash = podTemplateHash(spec?.template ?? {}, status?.collisionCount);
  const name = `${metadata.name}-${hash}`;
  const data = templatePatch(spec?.template) as NonNullable<ControllerRevision["data"]>;
  const revisions = client.apps.v1.controllerrevisions(namespace);
  try {
    return await revisions.create({
      metadata: {
        name,
        namespace,
        labels: { ...spec?.template.metadata?.labels, [hashLabel]: hash },
        ...(metadata.annotations && { annotations: { ...metadata.annotations } }),
        ownerReferences: [controllerReference({ metadata }, daemonSetKind)],
      },
      data,
      revision,
    });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    const existing = await revisions.get(name);
    if (equalJson(existing.data, data)) return existing;
    const daemonSets = client.apps.v1.daemonsets(namespace);
    const live = await daemonSets.get(metadata.name ?? "");
    // A count that is newer than the cache's is tried first.
    if (live.status && live.status.collisionCount === status?.collisionCount)
      await daemonSets.updateStatus({
        ...live,
        status: { ...live.status, collisionCount: (live.status.collisionCount ?? 0) + 1 },
      });
    throw error;
  }
}

/** Pure: revisions beyond the history that the DaemonSet keeps: the oldest that no pod has. */
export function planTruncation(
  { spec }: CachedDaemonSet,
  old: readonly CachedRevision[],
  pods: readonly CachedPod[],
): readonly CachedRevision[] {
  const live = new Set(pods.map(({ metadata }) => getOwn(metadata?.labels, hashLabel)));
  const surplus = Math.max(0, old.length - (spec?.revisionHistoryLimit ?? 10));
  return [...old]
    .sort(byRevision)
    .filter((revision) => !live.has(hashOf(revision)))
    .slice(0, surplus);
}
