import { goTypeName } from "../values/go-type-name.js";
import { isInt } from "../values/int.js";
import { showValue } from "../values/show-value.js";
import { typeOf } from "../values/type-of.js";
import { CelError, Double, ListValue, MapValue, OpaqueValue, Uint, type Value } from "../values/value.js";

/** What a map or list may be indexed by. */
export const isQualifier = (key: Value): boolean =>
  typeof key === "string" || isInt(key) || typeof key === "boolean" || key instanceof Double || key instanceof Uint;

export const invalidQualifier = (key: Value): CelError => new CelError(`invalid qualifier type: ${goTypeName(key)}`);

/** The member of a map, list or object at a key; undefined where it has none. An error is one of the key's type. */
export function findMember(object: Value, key: Value): Value | undefined {
  if (!isQualifier(key)) return invalidQualifier(key);
  if (object instanceof MapValue) return object.find(key);
  if (object instanceof ListValue) {
    const index = listIndex(key);
    if (index instanceof CelError) return index;
    return index >= 0 && index < object.size ? object.get(index) : undefined;
  }
  if (object instanceof OpaqueValue && object.getField !== undefined && typeof key === "string")
    return object.getField(key);
  if (object instanceof CelError) return object;
  return undefined;
}

/** The member at a key, or an error where there is none. */
export function getMember(object: Value, key: Value): Value {
  const member = findMember(object, key);
  if (member !== undefined) return member;
  if (object instanceof OpaqueValue && object.unsetField !== undefined && typeof key === "string")
    return object.unsetField(key);
  if (object instanceof ListValue) return new CelError(`index out of bounds: ${showValue(key)}`);
  return new CelError(`no such key: ${showValue(key)}`);
}

/** An index into a list, of whatever type of number; beyond the safe integers it is out of bounds anyway. */
export function listIndex(key: Value): number | CelError {
  if (isInt(key)) return Number(key);
  if (key instanceof Uint) return Number(key.value);
  if (key instanceof Double) {
    return Number.isInteger(key.value) ? key.value : new CelError(`unsupported index value ${showValue(key)} in list`);
  }
  return new CelError(`unsupported index type '${typeOf(key).name}' in list`);
}
