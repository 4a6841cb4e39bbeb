import { formatGroupResource, type GroupResource } from "@coxswain/apimachinery/meta";
import { isNewerVersion } from "../stores/index.js";

/** A cache that knows which resourceVersion it reflects: an informer's indexer. */
export interface VersionedCache {
  readonly resourceVersion: string;
}

/**
 * Records what a controller wrote for an owner, and whether its caches have seen it. A controller that works from a
 * cache older than its own last write repeats itself.
 */
export interface ConsistencyStore {
  /** A write for this owner was answered with this resourceVersion. */
  wroteAt(owner: Owner, resource: GroupResource, resourceVersion: string): void;
  /** What the caches have not seen yet; undefined when the owner may be worked on. */
  behind(ownerKey: string): Behind | undefined;
  /** The owner is gone. With a UID, only that owner and not a namesake. */
  clear(ownerKey: string, uid?: string): void;
}

export interface Owner {
  /** namespace/name */
  readonly key: string;
  readonly uid: string;
}

export interface Behind {
  readonly resource: GroupResource;
  readonly wrote: string;
  readonly read: string;
  /** For a log. */
  readonly message: string;
}

export function createConsistencyStore(
  caches: readonly { readonly resource: GroupResource; readonly cache: VersionedCache }[],
): ConsistencyStore {
  const byResource = new Map(caches.map((entry) => [formatGroupResource(entry.resource), entry]));
  const writes = new Map<string, { readonly uid: string; readonly versions: Map<string, string> }>();
  return {
    wroteAt({ key, uid }, resource, resourceVersion) {
      const known = writes.get(key);
      const entry = known?.uid === uid ? known : { uid, versions: new Map<string, string>() };
      writes.set(key, entry);
      const name = formatGroupResource(resource);
      const before = entry.versions.get(name);
      if (before === undefined || !isNewerVersion(before, resourceVersion)) entry.versions.set(name, resourceVersion);
    },
    behind(key) {
      for (const [name, wrote] of writes.get(key)?.versions ?? []) {
        const watched = byResource.get(name);
        const read = watched?.cache.resourceVersion ?? "";
        // A missing cache, one without a version, and versions that cannot be compared hold nobody up.
        if (watched === undefined || read === "" || !isNewerVersion(wrote, read)) continue;
        const message = `read version: ${read} is not as new as written version: ${wrote} for group resource ${name}`;
        return { resource: watched.resource, wrote, read, message };
      }
      writes.delete(key);
      return undefined;
    },
    clear(key, uid) {
      if (uid === undefined || writes.get(key)?.uid === uid) writes.delete(key);
    },
  };
}
