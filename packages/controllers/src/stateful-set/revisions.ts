import type { ControllerRevision } from "@coxswain/api/apps/v1";
import { equalJson } from "@coxswain/apimachinery/json";
import { controllerReference } from "@coxswain/client/controller";
import {
  type CachedRevision,
  revisionHash,
  revisionName,
  templatePatch,
} from "../controller-revisions/revision-data.js";
import type { RevisionHistory } from "../controller-revisions/revision-history.js";
import type { CachedPod } from "../pods/pod-state.js";
import { type CachedStatefulSet, revisionOf, statefulSetKind } from "./identity.js";

export interface SetRevisions {
  readonly current: CachedRevision;
  readonly update: CachedRevision;
  readonly collisionCount: number;
}

/** The revision of the set's template, made or made the newest where it is not, and the one that its pods have. */
export async function syncRevisions(
  set: CachedStatefulSet,
  revisions: readonly CachedRevision[],
  history: RevisionHistory,
): Promise<SetRevisions> {
  const { update, collisionCount } = await syncUpdateRevision(set, revisions, history);
  const current = revisions.find(({ metadata }) => metadata?.name === set.status?.currentRevision);
  return { current: current ?? update, update, collisionCount };
}

async function syncUpdateRevision(
  set: CachedStatefulSet,
  revisions: readonly CachedRevision[],
  history: RevisionHistory,
): Promise<{ readonly update: CachedRevision; readonly collisionCount: number }> {
  const collisionCount = set.status?.collisionCount ?? 0;
  const latest = revisions.at(-1);
  const wanted = newRevision(set, (latest?.revision ?? 0) + 1, collisionCount);
  const equal = revisions.filter(({ data }) => equalJson(data, wanted.data)).at(-1);
  if (equal)
    return { update: await (equal === latest ? equal : history.renumber(equal, wanted.revision)), collisionCount };
  const created = await history.create(set, wanted, collisionCount);
  return { update: created.revision, collisionCount: created.collisionCount };
}

function newRevision(set: CachedStatefulSet, revision: number, collisionCount: number): ControllerRevision {
  const data = templatePatch(set.spec?.template);
  const hash = revisionHash(data, collisionCount);
  return {
    metadata: {
      name: revisionName(set.metadata?.name ?? "", hash),
      namespace: set.metadata?.namespace ?? "",
      labels: { ...set.spec?.template.metadata?.labels, "controller.kubernetes.io/hash": hash },
      annotations: { ...set.metadata?.annotations },
      ownerReferences: [controllerReference({ metadata: set.metadata ?? {} }, statefulSetKind)],
    },
    data: data as NonNullable<ControllerRevision["data"]>,
    revision,
  };
}

/** Pure: revisions beyond the history that the set keeps: the oldest that no pod has and that are neither current nor the update's. */
export function planTruncation(
  set: CachedStatefulSet,
  pods: readonly CachedPod[],
  revisions: readonly CachedRevision[],
  { current, update }: Pick<SetRevisions, "current" | "update">,
): readonly CachedRevision[] {
  const live = new Set([current.metadata?.name, update.metadata?.name, ...pods.map(revisionOf)]);
  const past = revisions.filter(({ metadata }) => !live.has(metadata?.name));
  const limit = set.spec?.revisionHistoryLimit ?? 10;
  return limit < 0 ? [] : past.slice(0, Math.max(0, past.length - limit));
}
