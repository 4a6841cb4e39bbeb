import { typeOf } from "./type-of.js";
import { type Value } from "./value.js";

const goNames: Readonly<Record<string, string>> = {
  bool: "types.Bool",
  bytes: "types.Bytes",
  double: "types.Double",
  int: "types.Int",
  string: "types.String",
  uint: "types.Uint",
  null: "types.Null",
  timestamp: "types.Timestamp",
  duration: "types.Duration",
};

/** The type as Go's %T shows it, which some messages do. */
export const goTypeName = (value: Value): string => {
  const type = typeOf(value);
  return goNames[type.kind] ?? type.name;
};

const goNativeNames: Readonly<Record<string, string>> = {
  bytes: "[]uint8",
  double: "float64",
  int: "int64",
  uint: "uint64",
  null: "structpb.NullValue",
  list: "[]ref.Val",
  map: "map[ref.Val]ref.Val",
  timestamp: "time.Time",
  duration: "time.Duration",
};

/** The type of Go's own value within, as %T shows it. */
export const goNativeTypeName = (value: Value): string => {
  const type = typeOf(value);
  return goNativeNames[type.kind] ?? type.name;
};
