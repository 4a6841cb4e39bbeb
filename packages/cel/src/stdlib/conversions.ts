import { type FunctionDeclaration, type Overload } from "../declarations/function-declaration.js";
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  intType,
  stringType,
  type Type,
  timestampType,
  typeOfType,
  typeParam,
  uintType,
} from "../types/type.js";
import { typeOf } from "../values/type-of.js";
import { type Value } from "../values/value.js";
import {
  toBoolValue,
  toBytesValue,
  toDoubleValue,
  toDurationValue,
  toIntValue,
  toStringValue,
  toTimestampValue,
  toUintValue,
} from "./convert.js";

interface Conversion {
  readonly name: string;
  readonly to: Type;
  readonly convert: (value: Value, to: Type) => Value;
  /** Overload ids with the type that each takes. */
  readonly from: readonly (readonly [string, Type])[];
}

const conversion = ({ name, to, convert, from }: Conversion): FunctionDeclaration => ({
  name,
  overloads: from.map(
    ([id, type]): Overload => ({
      id,
      args: [type],
      result: to,
      implementation: (value) => convert(value as Value, to),
    }),
  ),
});

export const conversionFunctions: readonly FunctionDeclaration[] = [
  {
    name: "type",
    overloads: [{ id: "type", args: [typeParam("A")], result: typeOfType(typeParam("A")) }],
    implementation: (value) => typeOf(value as Value),
  },
  conversion({
    name: "bool",
    to: boolType,
    convert: toBoolValue,
    from: [
      ["bool_to_bool", boolType],
      ["string_to_bool", stringType],
    ],
  }),
  conversion({
    name: "bytes",
    to: bytesType,
    convert: toBytesValue,
    from: [
      ["bytes_to_bytes", bytesType],
      ["string_to_bytes", stringType],
    ],
  }),
  conversion({
    name: "double",
    to: doubleType,
    convert: toDoubleValue,
    from: [
      ["double_to_double", doubleType],
      ["int64_to_double", intType],
      ["string_to_double", stringType],
      ["uint64_to_double", uintType],
    ],
  }),
  conversion({
    name: "duration",
    to: durationType,
    convert: toDurationValue,
    from: [
      ["duration_to_duration", durationType],
      ["int64_to_duration", intType],
      ["string_to_duration", stringType],
    ],
  }),
  conversion({
    name: "int",
    to: intType,
    convert: toIntValue,
    from: [
      ["int64_to_int64", intType],
      ["double_to_int64", doubleType],
      ["duration_to_int64", durationType],
      ["string_to_int64", stringType],
      ["timestamp_to_int64", timestampType],
      ["uint64_to_int64", uintType],
    ],
  }),
  conversion({
    name: "string",
    to: stringType,
    convert: toStringValue,
    from: [
      ["string_to_string", stringType],
      ["bool_to_string", boolType],
      ["bytes_to_string", bytesType],
      ["double_to_string", doubleType],
      ["duration_to_string", durationType],
      ["int64_to_string", intType],
      ["timestamp_to_string", timestampType],
      ["uint64_to_string", uintType],
    ],
  }),
  conversion({
    name: "timestamp",
    to: timestampType,
    convert: toTimestampValue,
    from: [
      ["timestamp_to_timestamp", timestampType],
      ["int64_to_timestamp", intType],
      ["string_to_timestamp", stringType],
    ],
  }),
  conversion({
    name: "uint",
    to: uintType,
    convert: toUintValue,
    from: [
      ["uint64_to_uint64", uintType],
      ["double_to_uint64", doubleType],
      ["int64_to_uint64", intType],
      ["string_to_uint64", stringType],
    ],
  }),
];
