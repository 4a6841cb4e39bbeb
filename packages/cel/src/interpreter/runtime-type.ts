import { Type } from "../types/type.js";
import { isInt } from "../values/int.js";
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
} from "../values/value.js";

/** Whether a value may be an argument of that declared type. Of lists and maps, only the first element is looked at, as upstream does (github.com/google/cel-go/common/types/types.go, IsAssignableRuntimeType). */
export function isOfType(value: Value, type: Type): boolean {
  if (type.nullable && value === null) return true;
  switch (type.kind) {
    case "dyn":
    case "any":
    case "type_param":
      return true;
    case "string":
      return typeof value === "string";
    case "int":
      return isInt(value);
    case "bool":
      return typeof value === "boolean";
    case "double":
      return value instanceof Double;
    case "uint":
      return value instanceof Uint;
    case "bytes":
      return value instanceof Uint8Array;
    case "duration":
      return value instanceof Duration;
    case "timestamp":
      return value instanceof Timestamp;
    case "null":
      return value === null;
    case "type":
      return value instanceof Type;
    case "list":
      return value instanceof ListValue && (value.size === 0 || isOfType(value.get(0), type.parameters[0] as Type));
    case "map":
      return value instanceof MapValue && isMapOfType(value, type);
    case "opaque":
    case "struct":
      if (type.name === "optional_type") return value instanceof OptionalValue;
      return value instanceof OpaqueValue
        ? value.type.name === type.name
        : value instanceof MapValue && type.kind === "struct";
    case "error":
      return false;
  }
}

function isMapOfType(map: MapValue, { parameters }: Type): boolean {
  for (const key of map.keys())
    return isOfType(key, parameters[0] as Type) && isOfType(map.find(key) as Value, parameters[1] as Type);
  return true;
}
