import { Type } from "../types/type.js";
import { compareNumbers, isNumeric } from "./compare.js";
import { isInt } from "./int.js";
import {
  Double,
  Duration,
  ListValue,
  MapValue,
  OpaqueValue,
  OptionalValue,
  Timestamp,
  Uint,
  type Value,
} from "./value.js";

/** CEL's `==`: false between different types, except that numbers are compared by value whatever their type. */
export function equal(a: Value, b: Value): boolean {
  if (a === b) return true;
  switch (typeof a) {
    case "string":
    case "boolean":
      return false;
    case "number":
      if (typeof b === "number") return false;
      return isNumeric(b) && compareNumbers(a, b) === 0;
    case "bigint":
      return isNumeric(b) && compareNumbers(a, b) === 0;
    default:
      return a !== null && b !== null && equalObjects(a, b);
  }
}

function equalObjects(a: Exclude<Value, null | string | boolean | number | bigint>, b: Value): boolean {
  if (a instanceof Double || a instanceof Uint) return isNumeric(b) && compareNumbers(a, b) === 0;
  if (a instanceof ListValue) return a.equals?.(b) ?? (b instanceof ListValue && equalLists(a, b));
  if (a instanceof MapValue) return b instanceof MapValue && (a.equals?.(b) ?? equalMaps(a, b));
  if (a instanceof Duration) return b instanceof Duration && a.nanoseconds === b.nanoseconds;
  if (a instanceof Timestamp)
    return b instanceof Timestamp && a.seconds === b.seconds && a.nanoseconds === b.nanoseconds;
  if (a instanceof Uint8Array) return b instanceof Uint8Array && equalBytes(a, b);
  if (a instanceof OptionalValue) return b instanceof OptionalValue && equalOptionals(a, b);
  if (a instanceof Type) return b instanceof Type && a.name === b.name;
  if (a instanceof OpaqueValue) return a.equals(b);
  return false;
}

function equalLists(a: ListValue, b: ListValue): boolean {
  if (a.size !== b.size) return false;
  for (let index = 0; index < a.size; index++) if (!equal(a.get(index), b.get(index))) return false;
  return true;
}

function equalMaps(a: MapValue, b: MapValue): boolean {
  if (a.size !== b.size) return false;
  for (const key of a.keys()) {
    const other = b.find(key);
    if (other === undefined || !equal(a.find(key) as Value, other)) return false;
  }
  return true;
}

const equalBytes = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, index) => byte === b[index]);

const equalOptionals = (a: OptionalValue, b: OptionalValue): boolean =>
  a.value === undefined || b.value === undefined ? a.value === b.value : equal(a.value, b.value);

/** Whether a list holds the value. */
export function listContains(list: ListValue, value: Value): boolean {
  const size = list.size;
  for (let index = 0; index < size; index++) if (equal(value, list.get(index))) return true;
  return false;
}

/** The zero value of its type, as optional.ofNonZeroValue sees it. */
export function isZeroValue(value: Value): boolean {
  if (value === null || value === false || value === "") return true;
  if (isInt(value)) return value === 0;
  if (value instanceof Double) return value.value === 0;
  if (value instanceof Uint) return value.value === 0n;
  if (value instanceof Uint8Array) return value.length === 0;
  if (value instanceof ListValue || value instanceof MapValue) return value.size === 0;
  if (value instanceof Duration) return value.nanoseconds === 0n;
  // Go's zero time, not the epoch.
  if (value instanceof Timestamp) return value.seconds === -62135596800 && value.nanoseconds === 0;
  return value instanceof OpaqueValue && value.isZero?.() === true;
}
