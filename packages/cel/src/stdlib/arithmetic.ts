import { operators } from "../ast/operators.js";
import { declareFunction, type FunctionDeclaration, type Overload } from "../declarations/function-declaration.js";
import {
  bytesType,
  doubleType,
  durationType,
  intType,
  listType,
  stringType,
  type Type,
  timestampType,
  typeParam,
  uintType,
} from "../types/type.js";
import { addInt, divideInt, isInt, maxUint, moduloInt, multiplyInt, negateInt, subtractInt } from "../values/int.js";
import { concatLists } from "../values/list-value.js";
import { addDuration, durationOf, subtractTimestamps } from "../values/timestamp.js";
import { CelError, Double, Duration, ListValue, noSuchOverload, Timestamp, Uint, type Value } from "../values/value.js";

const listOfA = listType(typeParam("A"));

/** `a + b`. */
export function add(a: Value, b: Value): Value {
  if (typeof a === "number" || typeof a === "bigint") return isInt(b) ? addInt(a, b) : noSuchOverload();
  if (typeof a === "string") return typeof b === "string" ? a + b : noSuchOverload();
  if (a instanceof ListValue) return b instanceof ListValue ? concatLists(a, b) : noSuchOverload();
  if (a instanceof Double) return b instanceof Double ? new Double(a.value + b.value) : noSuchOverload();
  if (a instanceof Uint) return b instanceof Uint ? uintOf(a.value + b.value) : noSuchOverload();
  if (a instanceof Uint8Array) return b instanceof Uint8Array ? concatBytes(a, b) : noSuchOverload();
  if (a instanceof Timestamp) return b instanceof Duration ? addDuration(a, b.nanoseconds) : noSuchOverload();
  if (!(a instanceof Duration)) return unsupported(operators.add, a);
  if (b instanceof Duration) return durationOf(a.nanoseconds + b.nanoseconds);
  return b instanceof Timestamp ? addDuration(b, a.nanoseconds) : noSuchOverload();
}

function subtract(a: Value, b: Value): Value {
  if (isInt(a)) return isInt(b) ? subtractInt(a, b) : noSuchOverload();
  if (a instanceof Double) return b instanceof Double ? new Double(a.value - b.value) : noSuchOverload();
  if (a instanceof Uint) return b instanceof Uint ? uintOf(a.value - b.value) : noSuchOverload();
  if (a instanceof Duration)
    return b instanceof Duration ? durationOf(a.nanoseconds - b.nanoseconds) : noSuchOverload();
  if (!(a instanceof Timestamp)) return unsupported(operators.subtract, a);
  if (b instanceof Timestamp) return subtractTimestamps(a, b);
  return b instanceof Duration ? addDuration(a, -b.nanoseconds) : noSuchOverload();
}

function multiply(a: Value, b: Value): Value {
  if (isInt(a)) return isInt(b) ? multiplyInt(a, b) : noSuchOverload();
  if (a instanceof Double) return b instanceof Double ? new Double(a.value * b.value) : noSuchOverload();
  if (a instanceof Uint) return b instanceof Uint ? uintOf(a.value * b.value) : noSuchOverload();
  return unsupported(operators.multiply, a);
}

function divide(a: Value, b: Value): Value {
  if (isInt(a)) return isInt(b) ? divideInt(a, b) : noSuchOverload();
  if (a instanceof Double) return b instanceof Double ? new Double(a.value / b.value) : noSuchOverload();
  if (!(a instanceof Uint)) return unsupported(operators.divide, a);
  if (!(b instanceof Uint)) return noSuchOverload();
  return b.value === 0n ? new CelError("division by zero") : new Uint(a.value / b.value);
}

function modulo(a: Value, b: Value): Value {
  if (isInt(a)) return isInt(b) ? moduloInt(a, b) : noSuchOverload();
  if (!(a instanceof Uint)) return unsupported(operators.modulo, a);
  if (!(b instanceof Uint)) return noSuchOverload();
  return b.value === 0n ? new CelError("modulus by zero") : new Uint(a.value % b.value);
}

function negate(a: Value): Value {
  if (isInt(a)) return negateInt(a);
  if (a instanceof Double) return new Double(-a.value);
  if (a instanceof Duration) return durationOf(-a.nanoseconds);
  return typeof a === "boolean" ? noSuchOverload() : unsupported(operators.negate, a);
}

/** The left operand has no such operator. Upstream names it, but for types that have methods of their own. */
const unsupported = (operator: string, value: Value): CelError =>
  typeof value === "string" || value instanceof Timestamp || value instanceof Duration
    ? noSuchOverload()
    : new CelError(`no such overload: ${operator}`);

const uintOf = (value: bigint): Value =>
  value < 0n || value > maxUint ? new CelError("unsigned integer overflow") : new Uint(value);

function concatBytes(a: Uint8Array, b: Uint8Array): Uint8Array {
  const out = new Uint8Array(a.length + b.length);
  out.set(a);
  out.set(b, a.length);
  return out;
}

const binary = (id: string, left: Type, right: Type, result: Type): Overload => ({ id, args: [left, right], result });
const same = (id: string, type: Type): Overload => binary(id, type, type, type);

/** `+ - * / %` and negation. Integers are 64 bits wide: what does not fit is an error. */
export const arithmeticFunctions: readonly FunctionDeclaration[] = [
  {
    ...declareFunction(
      operators.add,
      same("add_bytes", bytesType),
      same("add_double", doubleType),
      same("add_duration_duration", durationType),
      binary("add_duration_timestamp", durationType, timestampType, timestampType),
      binary("add_timestamp_duration", timestampType, durationType, timestampType),
      same("add_int64", intType),
      same("add_list", listOfA),
      same("add_string", stringType),
      same("add_uint64", uintType),
    ),
    implementation: add,
  },
  {
    ...declareFunction(
      operators.divide,
      same("divide_double", doubleType),
      same("divide_int64", intType),
      same("divide_uint64", uintType),
    ),
    implementation: divide,
  },
  {
    ...declareFunction(operators.modulo, same("modulo_int64", intType), same("modulo_uint64", uintType)),
    implementation: modulo,
  },
  {
    ...declareFunction(
      operators.multiply,
      same("multiply_double", doubleType),
      same("multiply_int64", intType),
      same("multiply_uint64", uintType),
    ),
    implementation: multiply,
  },
  {
    ...declareFunction(
      operators.negate,
      { id: "negate_double", args: [doubleType], result: doubleType },
      { id: "negate_int64", args: [intType], result: intType },
    ),
    implementation: negate,
  },
  {
    ...declareFunction(
      operators.subtract,
      same("subtract_double", doubleType),
      same("subtract_duration_duration", durationType),
      same("subtract_int64", intType),
      binary("subtract_timestamp_duration", timestampType, durationType, timestampType),
      binary("subtract_timestamp_timestamp", timestampType, timestampType, durationType),
      same("subtract_uint64", uintType),
    ),
    implementation: subtract,
  },
];
