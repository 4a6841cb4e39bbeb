import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { AnyKind } from "@coxswain/kinds";
import type { Write } from "@coxswain/storage";
import type { ObjectDeps } from "../objects/object-deps.js";
import { objectKey } from "../objects/object-key.js";
import { newObjectWrite } from "./new-object-write.js";

/** Finds the kind of an object that the server makes itself. */
export type KindOf = (object: KubernetesObject) => AnyKind;

/**
 * Makes those of `objects` that are not there, all in one transaction: a starting server does not pay for a sync per object.
 * When another server over the same store was faster with some, what is still missing is tried again.
 */
export async function ensureObjects(deps: ObjectDeps, kindOf: KindOf, objects: readonly KubernetesObject[]): Promise<void> {
  for (;;) {
    const writes = objects.flatMap((object) => writeIfMissing(deps, kindOf(object), object));
    if (writes.length === 0) return;
    const { kind, ...result } = await deps.store.transaction(writes);
    if (kind === "written") return;
    if ("current" in result && result.current) await deps.feed.reach(result.current.revision, new AbortController().signal);
  }
}

function writeIfMissing(deps: ObjectDeps, kind: AnyKind, given: KubernetesObject): Write[] {
  const { name = "", namespace = "" } = given.metadata;
  const key = objectKey(kind, namespace, name);
  if (deps.feed.cacheOf(kind).get(key)) return [];
  return [newObjectWrite(deps, kind, given)];
}
