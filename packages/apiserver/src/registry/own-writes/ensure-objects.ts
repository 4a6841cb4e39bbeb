import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { AnyKind } from "@coxswain/kinds";
import type { Write } from "@coxswain/storage";
import { objectKey } from "../../cache/object-key.js";
import type { KindOf } from "../../catalogue/kind-finder.js";
import type { ObjectDeps } from "../../objects/object-deps.js";
import { newObjectWrite, ownPut } from "./new-object-write.js";
import { type PreparedObjects, stampPrepared } from "./prepared-objects.js";

/** etcd takes no more than 128 writes in a transaction. */
const mostWrites = 100;

/**
 * Makes those of `objects` that are not there, in few transactions sent together: a starting server does not pay for a sync per object.
 * When another server over the same store was faster with some, what is still missing is tried again.
 * One that is there and cannot be read stays as it is: an operator decides what becomes of it.
 * Those that are among the prepared ones are written as they were prepared; `prepared` is asked only when something is missing.
 */
export async function ensureObjects(
  deps: ObjectDeps,
  kindOf: KindOf,
  objects: readonly KubernetesObject[],
  prepared?: () => Promise<PreparedObjects>,
): Promise<void> {
  for (;;) {
    const missing = objects.filter((object) => !deps.feed.cacheOf(kindOf(object)).has(keyOf(kindOf(object), object)));
    if (missing.length === 0) return;
    const ready = await prepared?.();
    const writes = missing.map((object) => writeNew(deps, kindOf(object), object, ready));
    const portions = Array.from({ length: Math.ceil(writes.length / mostWrites) }, (_, at) =>
      writes.slice(at * mostWrites, (at + 1) * mostWrites),
    );
    const results = await Promise.all(portions.map((portion) => deps.store.transaction(portion)));
    const lost = results.filter((result) => result.kind === "conflict");
    if (lost.length === 0) return;
    for (const { current } of lost) if (current) await deps.feed.reach(current.revision, new AbortController().signal);
  }
}

function writeNew(
  deps: ObjectDeps,
  kind: AnyKind,
  object: KubernetesObject,
  ready: PreparedObjects | undefined,
): Write {
  const key = keyOf(kind, object);
  const value = ready && stampPrepared(ready, key, deps);
  return value ? ownPut(deps, kind, key, value) : newObjectWrite(deps, kind, object);
}

const keyOf = (kind: AnyKind, { metadata }: KubernetesObject): string =>
  objectKey(kind, metadata.namespace ?? "", metadata.name ?? "");
