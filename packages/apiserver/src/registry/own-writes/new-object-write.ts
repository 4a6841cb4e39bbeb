import { walk } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { AnyKind } from "@coxswain/kinds";
import type { Write } from "@coxswain/storage";
import { objectKey } from "../../cache/object-key.js";
import { prepareOwn } from "../../objects/create.js";
import { encodeStored } from "../../objects/encode-stored.js";
import { trackBuiltInFields } from "../../objects/managed-fields.js";
import type { ObjectDeps } from "../../objects/object-deps.js";
import { serverScope } from "../../objects/server-scope.js";
import type { WriteScope } from "../../objects/write-scope.js";

/** The write that makes an object on the server's own account, to go into a transaction. A status is taken over as if it had been written right after. */
export function newObjectWrite(deps: ObjectDeps, kind: AnyKind, given: KubernetesObject): Write {
  const { name = "", namespace = "" } = given.metadata;
  const scope = serverScope(kind, { namespace });
  const object = walk(given, kind.schema) as KubernetesObject;
  kind.setDefaults?.(object);
  const made = withStatus(
    deps,
    scope,
    prepareOwn(deps, scope, trackBuiltInFields(deps, scope, undefined, object)),
    given,
  );
  const { value, stored } = encodeStored(kind, made);
  deps.feed.readerOf(kind).expect(value, stored);
  return ownPut(deps, kind, objectKey(kind, namespace, name), value);
}

/** The write of a new object that is encoded already. */
export function ownPut(deps: Pick<ObjectDeps, "runtime">, kind: AnyKind, key: string, value: Uint8Array): Write {
  const { user, verb, manager } = serverScope(kind);
  return {
    op: "put",
    key,
    value,
    expected: 0,
    note: { time: deps.runtime.clock.now(), user: user.name, verb, manager },
  };
}

function withStatus(
  deps: ObjectDeps,
  scope: WriteScope,
  made: KubernetesObject,
  given: KubernetesObject,
): KubernetesObject {
  if (!("status" in given) || !Object.hasOwn(scope.kind.views, "status")) return made;
  const next = walk({ ...made, status: given.status }, scope.kind.schema) as KubernetesObject;
  return trackBuiltInFields(deps, { ...scope, view: "status" }, made, next);
}
