import type { ControllerRevision } from "@coxswain/api/apps/v1";
import { equalJson } from "@coxswain/apimachinery/json";
import type { GroupVersionKind } from "@coxswain/apimachinery/meta";
import type { Selector } from "@coxswain/apimachinery/selector";
import { isAlreadyExists } from "@coxswain/apimachinery/status";
import type { Client } from "@coxswain/client";
import { adoptionPatch } from "@coxswain/client/controller";
import { createLister, type SharedIndexInformer } from "@coxswain/client/informers";
import { controllerRefOf } from "../pods/controller-ref.js";
import type { PodOwner } from "../pods/pods-of-owner.js";
import { byRevision, type CachedRevision, revisionHash, revisionName } from "./revision-data.js";

/** The revisions of an owner's template, as ControllerRevisions beside it. */
export interface RevisionHistory {
  /** Those it owns and those that nobody owns, oldest first; from the cache. */
  list(owner: PodOwner, selector: Selector): CachedRevision[];
  /** Adopts those that nobody owns. `canAdopt` is asked once, before the first. */
  adoptOrphans(owner: PodOwner, revisions: readonly CachedRevision[], canAdopt: () => Promise<void>): Promise<void>;
  /** Creates it under a name that its data give it; where another one has that name, with a higher count of collisions. */
  create(
    owner: PodOwner,
    revision: ControllerRevision,
    collisionCount: number,
  ): Promise<{ readonly revision: CachedRevision; readonly collisionCount: number }>;
  /** Makes it the newest. */
  renumber(revision: CachedRevision, number: number): Promise<CachedRevision>;
  delete(revision: CachedRevision): Promise<void>;
}

export function createRevisionHistory(
  client: Client,
  revisions: SharedIndexInformer<CachedRevision>,
  kind: GroupVersionKind,
): RevisionHistory {
  const clientFor = ({ metadata }: PodOwner) => client.apps.v1.controllerrevisions(metadata?.namespace ?? "");
  return {
    list(owner, selector) {
      const { namespace = "", uid } = owner.metadata ?? {};
      return createLister(revisions.indexer)
        .namespace(namespace)
        .list(selector)
        .filter((revision) => [undefined, uid].includes(controllerRefOf(revision)?.uid))
        .sort(byRevision);
    },
    async adoptOrphans(owner, all, canAdopt) {
      const orphans = all.filter((revision) => controllerRefOf(revision) === undefined);
      if (orphans.length > 0) await canAdopt();
      for (const orphan of orphans) {
        const patch = adoptionPatch(owner, kind, orphan) as Record<string, unknown>;
        await clientFor(owner).patch(orphan.metadata?.name ?? "", { strategic: patch });
      }
    },
    async create(owner, revision, collisionCount) {
      for (let count = collisionCount; ; count++) {
        const name = revisionName(owner.metadata?.name ?? "", revisionHash(revision.data ?? {}, count));
        const named = { ...revision, metadata: { ...revision.metadata, name } };
        try {
          return { revision: await clientFor(owner).create(named), collisionCount: count };
        } catch (error) {
          if (!isAlreadyExists(error)) throw error;
          const existing = await clientFor(owner).get(name);
          if (equalJson(existing.data, revision.data)) return { revision: existing, collisionCount: count };
        }
      }
    },
    async renumber(revision, number) {
      if (revision.revision === number) return revision;
      return clientFor(revision).update({ ...(revision as ControllerRevision), revision: number });
    },
    async delete(revision) {
      await clientFor(revision).delete(revision.metadata?.name ?? "");
    },
  };
}
