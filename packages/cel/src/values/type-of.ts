import { codePointLength } from "../source/source.js";
import {
  anyListType,
  anyMapType,
  anyOptionalType,
  boolType,
  bytesType,
  doubleType,
  durationType,
  errorType,
  intType,
  nullType,
  stringType,
  Type,
  timestampType,
  typeType,
  uintType,
} from "../types/type.js";
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

/** The run-time type, `type(value)`. */
export function typeOf(value: Value): Type {
  switch (typeof value) {
    case "boolean":
      return boolType;
    case "string":
      return stringType;
    case "number":
    case "bigint":
      return intType;
    default:
      break;
  }
  if (value === null) return nullType;
  if (value instanceof Double) return doubleType;
  if (value instanceof ListValue) return anyListType;
  if (value instanceof MapValue) return anyMapType;
  if (value instanceof Uint) return uintType;
  if (value instanceof Uint8Array) return bytesType;
  if (value instanceof Duration) return durationType;
  if (value instanceof Timestamp) return timestampType;
  if (value instanceof OptionalValue) return anyOptionalType;
  if (value instanceof OpaqueValue) return value.type;
  return value instanceof Type ? typeType : errorType;
}

/** What the cost model takes for the size of a value: elements, code points, bytes; 1 for anything else. */
export function sizeOf(value: Value): number {
  if (typeof value === "string") return codePointLength(value);
  if (typeof value !== "object" || value === null) return 1;
  if (value instanceof ListValue || value instanceof MapValue) return value.size;
  if (value instanceof Uint8Array) return value.length;
  if (value instanceof OptionalValue) return value.value === undefined ? 1 : sizeOf(value.value);
  if (value instanceof OpaqueValue) return value.size ?? 1;
  return 1;
}
