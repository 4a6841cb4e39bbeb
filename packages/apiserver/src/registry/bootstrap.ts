import { walk } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { AnyKind } from "@coxswain/kinds";
import type { Write } from "@coxswain/storage";
import { prepareNew } from "../objects/create.js";
import { encodeStored } from "../objects/encode-stored.js";
import { trackManagedFields } from "../objects/managed-fields.js";
import type { ObjectDeps } from "../objects/object-deps.js";
import { objectKey } from "../objects/object-key.js";
import { serverScope } from "./server-scope.js";

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
  const scope = serverScope(kind, { namespace });
  const object = walk(given, kind.schema) as KubernetesObject;
  kind.setDefaults?.(object);
  const { value, stored } = encodeStored(kind, prepareNew(deps, scope, trackManagedFields(deps, scope, undefined, object)));
  deps.feed.readerOf(kind).expect(value, stored);
  return [{ op: "put", key, value, expected: 0, note: { time: deps.clock.now(), user: scope.user.name, manager: scope.manager } }];
}
