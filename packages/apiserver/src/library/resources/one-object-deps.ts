import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { AnyKind } from "@coxswain/kinds";
import type { DeleteWrite, KeyRecord, KeyValueStore, PutResult, PutWrite } from "@coxswain/storage";
import { bytesOf, type CacheEntry } from "../../cache/cache-entry.js";
import type { CacheFeed } from "../../cache/cache-feed.js";
import { parseStored } from "../../cache/encoded-object.js";
import { objectKey } from "../../cache/object-key.js";
import type { HandlerDeps } from "../../endpoints/handler-deps.js";
import type { ObjectKey, ResourceStorage, StorageRequest } from "./resource-storage.js";
import { revisionOf, storageEntry } from "./storage-entry.js";

export interface OneObject {
  readonly kind: AnyKind;
  readonly storage: ResourceStorage;
  readonly key: ObjectKey;
  readonly request: StorageRequest;
}

/** What one write rests on, with the storage in the place of store and cache: the way of a write is the same as for stored objects. */
export async function oneObjectDeps(deps: HandlerDeps, one: OneObject): Promise<HandlerDeps> {
  const current = one.key.name === "" ? undefined : await readEntry(one);
  return { ...deps, feed: feedOf(one.kind, current), store: storeOf(one) };
}

async function readEntry({ kind, storage, key, request }: OneObject): Promise<CacheEntry | undefined> {
  const object = await storage.get(key, request);
  return object && storageEntry(kind, object);
}

/** The part of a feed that writes look at: what the object is now. */
function feedOf(kind: AnyKind, current: CacheEntry | undefined): CacheFeed {
  const cache = {
    kind,
    unreadable: new Map(),
    get: (key: string) => (current?.key === key ? current : undefined),
  };
  const feed = {
    cacheOf: () => cache,
    findCache: () => undefined,
    readerOf: () => ({ expect: () => {} }),
    reach: async () => {},
    // The object was read for this write: it is as new as the storage's, by the same number as `readRevision` below.
    revision: () => 0,
  };
  return feed as unknown as CacheFeed;
}

/** The part of a store that writes of one object use. */
function storeOf({ kind, storage, request }: OneObject): KeyValueStore {
  const store = {
    put: (write: PutWrite) => put({ kind, storage, request }, write),
    delete: (write: DeleteWrite) => remove({ kind, storage, request }, write),
    status: async () => ({ revision: 0 }),
    readRevision: () => 0,
  };
  return store as unknown as KeyValueStore;
}

type Where = Omit<OneObject, "key">;

async function put(where: Where, { key, value, expected }: PutWrite): Promise<PutResult> {
  const { storage, request } = where;
  const object = parseStored(value);
  const written =
    expected === 0
      ? await storage.create?.(object, request)
      : await storage.update?.(withRevision(object, expected), String(expected), request);
  return written === undefined
    ? { kind: "conflict", current: await recordOf(where, key) }
    : { kind: "written", revision: revisionOf(written) };
}

async function remove(where: Where, { key, expected }: DeleteWrite) {
  const previous = await recordOf(where, key);
  const revision = await where.storage.delete?.(keyOf(where.kind, key), String(expected), where.request);
  return revision === undefined
    ? { kind: "conflict" as const, current: await recordOf(where, key) }
    : { kind: "deleted" as const, revision: revisionOf(revision), previous };
}

const withRevision = (object: KubernetesObject, revision: number): KubernetesObject => ({
  ...object,
  metadata: { ...object.metadata, resourceVersion: String(revision) },
});

async function recordOf({ kind, storage, request }: Where, key: string): Promise<KeyRecord | undefined> {
  const entry = await readEntry({ kind, storage, request, key: keyOf(kind, key) });
  if (!entry) return undefined;
  const { revision } = entry;
  return { key, value: bytesOf(entry), revision, createRevision: revision, version: 1 };
}

function keyOf(kind: AnyKind, key: string): ObjectKey {
  const [namespace = "", name = ""] = kind.namespaced
    ? key.split("/").slice(-2)
    : ["", key.slice(objectKey(kind, "", "").length)];
  return { namespace, name };
}
