import { cloneJson } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { spliceResourceVersion } from "@coxswain/apimachinery/object";
import { internalError } from "@coxswain/apimachinery/status";
import type { AnyKind } from "@coxswain/kinds";
import { type CacheEntry, withBytes } from "../../cache/cache-entry.js";
import { readFields } from "../../cache/entry-reader.js";
import { objectKey } from "../../cache/object-key.js";
import { encodeStored } from "../../objects/encode-stored.js";

/** What a storage returned, in the form in which verbs answer objects. @throws StatusError where it has no resourceVersion */
export function storageEntry(kind: AnyKind, object: object): CacheEntry {
  const own = cloneJson(object) as KubernetesObject;
  const { name = "", namespace = "", resourceVersion } = own.metadata;
  const revision = revisionOf(resourceVersion);
  const { value, stored } = encodeStored(kind, {
    ...own,
    kind: kind.kind,
    apiVersion: `${kind.group}/${kind.version}`,
  });
  const key = objectKey(kind, namespace, name);
  const { labels } = stored.metadata;
  return withBytes(
    { key, revision, namespace, labels, fields: readFields(kind, stored), stale: false },
    spliceResourceVersion(value, String(revision)),
  );
}

/** @throws StatusError */
export function revisionOf(resourceVersion: string | undefined): number {
  const revision = Number(resourceVersion);
  if (!Number.isSafeInteger(revision) || revision <= 0)
    throw internalError(`the storage of a resource returned the resourceVersion ${JSON.stringify(resourceVersion)}`);
  return revision;
}
