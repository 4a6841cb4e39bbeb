import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { AnyKind } from "@coxswain/kinds";
import type { Write } from "@coxswain/storage";
import type { ObjectDeps } from "../objects/object-deps.js";
import { objectKey } from "../objects/object-key.js";
import { newObjectWrite } from "./new-object-write.js";

/** Finds the kind of an object that the server makes itself. */
export type KindOf = (object: KubernetesObject) => AnyKind;

/** etcd takes no more than 128 writes in a transaction. */
const mostWrites = 100;

/**
 * Makes those of `objects` that are not there, in few transactions sent together: a starting server does not pay for a sync per object.
 * When another server over the same store was faster with some, what is still missing is tried again.
 */
export async function ensureObjects(deps: ObjectDeps, kindOf: KindOf, objects: readonly KubernetesObject[]): Promise<void> {
  for (;;) {
    const writes = objects.flatMap((object) => writeIfMissing(deps, kindOf(object), object));
    if (writes.length === 0) return;
    const portions = Array.from({ length: Math.ceil(writes.length / mostWrites) }, (_, at) => writes.slice(at * mostWrites, (at + 1) * mostWrites));
    const results = await Promise.all(portions.map((portion) => deps.store.transaction(portion)));
    const lost = results.filter((result) => result.kind === "conflict");
    if (lost.length === 0) return;
    for (const { current } of lost) if (current) await deps.feed.reach(current.revision, new AbortController().signal);
  }
}

function writeIfMissing(deps: ObjectDeps, kind: AnyKind, given: KubernetesObject): Write[] {
  const { name = "", namespace = "" } = given.metadata;
  const key = objectKey(kind, namespace, name);
  if (deps.feed.cacheOf(kind).get(key)) return [];
  return [newObjectWrite(deps, kind, given)];
}
