export {
  CelError,
  Double,
  Duration,
  ListValue,
  MapValue,
  noSuchOverload,
  OpaqueValue,
  OptionalValue,
  optionalNone,
  Timestamp,
  Uint,
  type Value,
} from "./value.js";
export { compare } from "./compare.js";
export { equal, listContains } from "./equal.js";
export { intOf, isInt } from "./int.js";
export { ArrayList, concatLists, elementsOf } from "./list-value.js";
export { EntriesMap, mapKey } from "./map-value.js";
export { showValue } from "./show-value.js";
export { sizeOf, typeOf } from "./type-of.js";
