import { decodeUtf8, encodeUtf8, goFloat, trimEndOf } from "@coxswain/apimachinery/text";
import { parseDuration, parseTime } from "@coxswain/apimachinery/time";
import { type Type } from "../types/type.js";
import { intOf, isInt, maxUint } from "../values/int.js";
import { formatTimestamp, timestampOf } from "../values/timestamp.js";
import { typeOf } from "../values/type-of.js";
import { CelError, Double, Duration, Timestamp, Uint, type Value } from "../values/value.js";

const failed = (value: Value, to: Type): CelError =>
  new CelError(`type conversion error from '${typeOf(value).name}' to '${to.name}'`);

export function toIntValue(value: Value, to: Type): Value {
  if (isInt(value)) return value;
  if (typeof value === "string") {
    const parsed = /^[+-]?[0-9]+$/.test(value) ? intOf(BigInt(value.replace(/^\+/, ""))) : undefined;
    return parsed ?? failed(value, to);
  }
  if (value instanceof Double) return doubleToInt(value.value);
  if (value instanceof Uint) return intOf(value.value) ?? new CelError("integer overflow");
  if (value instanceof Timestamp) return value.seconds;
  if (value instanceof Duration) return intOf(value.nanoseconds) ?? new CelError("integer overflow");
  return failed(value, to);
}

/** Truncated. The bounds are those of upstream, which leaves out the two doubles next to the limits. */
function doubleToInt(value: number): Value {
  if (!(value > -(2 ** 63) && value < 2 ** 63)) return new CelError("integer overflow");
  return intOf(BigInt(Math.trunc(value))) ?? new CelError("integer overflow");
}

export function toUintValue(value: Value, to: Type): Value {
  const overflow = (): CelError => new CelError("unsigned integer overflow");
  if (value instanceof Uint) return value;
  if (isInt(value)) return value < 0 ? overflow() : new Uint(BigInt(value));
  if (value instanceof Double)
    return value.value >= 0 && value.value < 2 ** 64 ? new Uint(BigInt(Math.trunc(value.value))) : overflow();
  if (typeof value !== "string" || !/^[0-9]+$/.test(value)) return failed(value, to);
  const parsed = BigInt(value);
  return parsed > maxUint ? failed(value, to) : new Uint(parsed);
}

export function toDoubleValue(value: Value, to: Type): Value {
  if (value instanceof Double) return value;
  if (isInt(value)) return new Double(Number(value));
  if (value instanceof Uint) return new Double(Number(value.value));
  const parsed = typeof value === "string" ? parseFloatGo(value) : undefined;
  return parsed === undefined ? failed(value, to) : new Double(parsed);
}

const decimal = /^[+-]?(?:[0-9]+(?:_[0-9]+)*(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;
const named: Readonly<Record<string, number>> = {
  inf: Number.POSITIVE_INFINITY,
  infinity: Number.POSITIVE_INFINITY,
  nan: Number.NaN,
};

/** Go's strconv.ParseFloat, for decimal numbers and the names of infinity; undefined for what it refuses. */
function parseFloatGo(text: string): number | undefined {
  const unsigned = text.replace(/^[+-]/, "").toLowerCase();
  const special = Object.hasOwn(named, unsigned) ? named[unsigned] : undefined;
  if (special !== undefined) {
    if (Number.isNaN(special)) return unsigned === text.toLowerCase() ? special : undefined;
    return text.startsWith("-") ? -special : special;
  }
  if (text.includes("_") || !decimal.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

export function toStringValue(value: Value, to: Type): Value {
  if (typeof value === "string") return value;
  if (typeof value === "boolean" || isInt(value)) return String(value);
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Double) return Object.is(value.value, -0) ? "-0" : goFloat(value.value);
  if (value instanceof Uint8Array)
    return decodeUtf8(value) ?? new CelError("invalid UTF-8 in bytes, cannot convert to string");
  if (value instanceof Timestamp) return formatTimestamp(value);
  return value instanceof Duration ? formatSeconds(value) : failed(value, to);
}

/** A duration in seconds, `1.5s`: a float64's shortest digits, without an exponent. */
export function formatSeconds({ nanoseconds }: Duration): string {
  const whole = nanoseconds / 1_000_000_000n;
  const seconds = Number(whole) + Number(nanoseconds % 1_000_000_000n) / 1e9;
  const text = String(seconds);
  return `${text.includes("e") ? trimEndOf(seconds.toFixed(9), "0") : text}s`;
}

const trueTexts: ReadonlySet<string> = new Set(["1", "t", "T", "true", "TRUE", "True"]);
const falseTexts: ReadonlySet<string> = new Set(["0", "f", "F", "false", "FALSE", "False"]);

export function toBoolValue(value: Value, to: Type): Value {
  if (typeof value === "boolean") return value;
  if (typeof value === "string" && trueTexts.has(value)) return true;
  return typeof value === "string" && falseTexts.has(value) ? false : failed(value, to);
}

export const toBytesValue = (value: Value, to: Type): Value => {
  if (value instanceof Uint8Array) return value;
  return typeof value === "string" ? encodeUtf8(value) : failed(value, to);
};

export function toDurationValue(value: Value, to: Type): Value {
  if (value instanceof Duration) return value;
  const nanoseconds = typeof value === "string" ? parseDuration(value).nanoseconds : undefined;
  return nanoseconds === undefined ? failed(value, to) : new Duration(nanoseconds);
}

export function toTimestampValue(value: Value, to: Type): Value {
  if (value instanceof Timestamp) return value;
  if (isInt(value)) return timestampOf(Number(value), 0);
  const instant = typeof value === "string" ? parseTime(value).instant : undefined;
  if (instant === undefined) return failed(value, to);
  return timestampOf(instant.seconds, instant.nanoseconds, offsetOf(value as string));
}

/** Seconds east of UTC that a time, known to be well formed, is written with. */
function offsetOf(time: string): number {
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(time) ?? [];
  if (sign === undefined) return 0;
  const seconds = Number(hours) * 3600 + Number(minutes) * 60;
  return sign === "-" ? -seconds : seconds;
}
