import { difference, type FieldSet, has, isEmpty } from "./gen/field-set.js";
import { type Managers, readManagers, writeManagers } from "./gen/managers.js";
import type { ManagedFieldsEntry } from "./managed-fields-entry.js";
import type { PathElement } from "./path-element.js";
import { setOf } from "./set-of.js";

/** Where a kind keeps its replicas, by API version; undefined: that version is known, and has no scale. */
export type ReplicasPaths = ReadonlyMap<string, readonly PathElement[] | undefined>;

const scaleVersion = "autoscaling/v1";
const replicasOfScale: readonly PathElement[] = ["f:spec", "f:replicas"];
const scaleSet: FieldSet = setOf(replicasOfScale);

/** The entries of a Scale: of those of the object that it scales, the ones that own its replicas. Throws for entries that cannot be read. */
export function entriesOfScale(parent: readonly ManagedFieldsEntry[], paths: ReplicasPaths): ManagedFieldsEntry[] {
  const managers: Managers = new Map();
  for (const [id, manager] of readManagers(parent)) {
    const path = paths.get(manager.apiVersion);
    if (path && has(manager.set, path))
      managers.set(id, { ...manager, apiVersion: scaleVersion, set: scaleSet, entry: undefined });
  }
  return writeManagers(managers);
}

/**
 * The entries of the object after its Scale was written. Who lost the replicas there loses them here; who won them there owns
 * them here, in the version `apiVersion`. Entries of unknown versions are dropped.
 */
export function entriesAfterScale({
  parent,
  scale,
  paths,
  apiVersion,
}: {
  parent: readonly ManagedFieldsEntry[];
  scale: readonly ManagedFieldsEntry[];
  paths: ReplicasPaths;
  apiVersion: string;
}): ManagedFieldsEntry[] {
  const parents = readManagers(parent);
  const scales = readManagers(scale);
  const out: Managers = new Map();
  for (const [id, manager] of parents) {
    if (!paths.has(manager.apiVersion)) continue;
    const path = paths.get(manager.apiVersion);
    if (path === undefined || !has(manager.set, path) || scales.delete(id)) out.set(id, manager);
    else {
      const set = difference(manager.set, setOf(path));
      if (!isEmpty(set)) out.set(id, { ...manager, set });
    }
  }
  const own = paths.get(apiVersion);
  for (const [id, manager] of scales) {
    // An updater's identity names the version, so that it is never found among the parent's, and its time is lost: upstream's too.
    if (own && has(manager.set, replicasOfScale))
      out.set(id, { ...manager, apiVersion, set: setOf(own), time: parents.get(id)?.time, entry: undefined });
  }
  return writeManagers(out);
}
