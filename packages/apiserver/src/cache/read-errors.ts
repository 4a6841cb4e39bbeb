import { internalError, type StatusCause, StatusError, tooManyRequests } from "@coxswain/apimachinery/status";
import type { AnyKind } from "@coxswain/kinds";
import { registryPrefix } from "./registry-prefix.js";
import type { UnreadableObject } from "./unreadable-objects.js";

/** The gate with which clients may delete what cannot be read; errors have other words then. */
export const unsafeDeletionGate = "AllowUnsafeMalformedObjectDeletion";

interface Gates {
  enabled(gate: string): boolean;
}

/** So many causes has the error of a list (`etcd3/store.go`, `corruptObjErrAggregatorFactory(100)`). */
const mostCauses = 100;
const tooMany = "too many errors, the list is truncated";

/** Which value, and why: upstream's words of a list, for all who read (`etcd3/store.go`, `GetList`). */
export const unreadableText = ({ key, why: { step, message } }: UnreadableObject): string =>
  `unable to ${step} key ${JSON.stringify(key)}: ${message}`;

/** What reading, changing or deleting that one object answers (`storage/errors/storage.go`, `InterpretGetError`). */
export function unreadableObjectError(object: UnreadableObject, gates: Gates): StatusError {
  if (gates.enabled(unsafeDeletionGate))
    return internalError(corruptText(object, object.key.slice(registryPrefix.length - 1)));
  // What cannot be decoded is an error without a reason there.
  return object.why.step === "transform"
    ? internalError(unreadableText(object))
    : new StatusError({ code: 500, reason: "", message: unreadableText(object) });
}

/** What a list from the store answers that meets these, in key order (`etcd3/corrupt_obj_deleter.go`, `NewAPIStatusError`). */
export function unreadableListError(kind: AnyKind, objects: readonly UnreadableObject[], gates: Gates): StatusError {
  const [first] = objects;
  if (first && !gates.enabled(unsafeDeletionGate)) return unreadableObjectError(first, gates);
  const causes: StatusCause[] = objects.slice(0, mostCauses).map((object) => ({
    reason: "UnexpectedServerResponse",
    field: object.key,
    message: corruptText(object, object.key),
  }));
  if (objects.length > mostCauses) causes.push({ reason: "FieldValueTooMany", message: tooMany });
  return new StatusError({
    code: 500,
    reason: "StoreReadError",
    message: readFailed(kind),
    details: { ...(kind.group !== "" && { group: kind.group }), kind: kind.resource, name: "list", causes },
  });
}

/**
 * What a list or a watch from a cache answers that cannot hold all of its resource: try again later, and later the longer it lasts
 * (`cacher/ready.go`, `readGenerationLocked`; `cacher/util.go`, `calculateRetryAfterForUnreadyCache`).
 */
export function cacheNotReady(
  kind: AnyKind,
  { object, forMs, gates }: { readonly object: UnreadableObject; readonly forMs: number; readonly gates: Gates },
): StatusError {
  const type = `*${kind.group === "" ? "core" : kind.group.split(".")[0]}.${kind.kind}`;
  const why = gates.enabled(unsafeDeletionGate) ? readFailed(kind) : unreadableText(object);
  const seconds = Math.floor(Math.min(30, Math.max(1, Math.exp(0.06 * (forMs / 1000)))));
  return tooManyRequests(`storage is (re)initializing: failed to list ${type}: ${why}`, seconds);
}

const readFailed = ({ group, resource }: AnyKind): string =>
  `failed to read one or more ${group === "" ? resource : `${resource}.${group}`} from the storage`;

/** `storage/errors.go`, `StorageError.Error`; `etcd3/corrupt_obj_deleter.go`, `corruptObjectError.Error`. */
function corruptText({ revision, why: { step, message } }: UnreadableObject, key: string): string {
  const what =
    step === "transform"
      ? "data from the storage is not transformable revision=0"
      : `object not decodable revision=${revision}`;
  return `StorageError: corrupt object, Code: 7, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${what}: ${message}`;
}
