import { objectKey } from "../../cache/object-key.js";
import { storedKind } from "../../catalogue/stored-kind.js";
import type { ObjectDeps } from "../../objects/object-deps.js";
import { ownPut } from "./new-object-write.js";
import { type PreparedObjects, stampPrepared } from "./prepared-objects.js";

const namespaces = storedKind("", "namespaces");
const definitions = storedKind("apiextensions.k8s.io", "customresourcedefinitions");

/**
 * Writes what a server was given for an empty store, in one transaction before its own objects: who deletes one of these objects is not
 * given it again. Where another server over the same store was faster, its objects stay.
 */
export async function ensureFirstObjects(deps: ObjectDeps, first: () => Promise<PreparedObjects>): Promise<void> {
  if (deps.feed.cacheOf(namespaces).has(objectKey(namespaces, "", "kube-system"))) return;
  const prepared = await first();
  const writes = Object.keys(prepared).flatMap((key) => {
    const value = stampPrepared(prepared, key, deps);
    // On the server's own account, as definitions are; the kinds of others are not known before these are served.
    return value ? [ownPut(deps, definitions, key, value)] : [];
  });
  if (writes.length > 0) await deps.store.transaction(writes);
}
