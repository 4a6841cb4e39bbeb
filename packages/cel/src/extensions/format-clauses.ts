import { encodeUtf8, quoteGo } from "@coxswain/apimachinery/text";
import { toStringValue } from "../stdlib/convert.js";
import { stringType, Type } from "../types/type.js";
import { isInt } from "../values/int.js";
import { elementsOf } from "../values/list-value.js";
import { typeOf } from "../values/type-of.js";
import { CelError, Double, Duration, ListValue, MapValue, Timestamp, Uint, type Value } from "../values/value.js";
import { fixedPoint, groupedFixedPoint, scientific } from "./format-number.js";

/** One clause `%x` of a format: the text of a value, or why it has none. */
export type Clause = (value: Value) => string | CelError;

/** What each clause cannot format; the type follows. */
export const clauseErrors = {
  b: "only integers and bools can be formatted as binary, was given ",
  d: "decimal clause can only be used on integers, was given ",
  f: "fixed-point clause can only be used on doubles, was given ",
  x: "only integers, byte buffers, and strings can be formatted as hex, was given ",
  o: "octal clause can only be used on integers, was given ",
  e: "scientific clause can only be used on doubles, was given ",
  s: "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given ",
} as const;

export type ClauseLetter = keyof typeof clauseErrors;

const refuse = (letter: ClauseLetter, value: Value): CelError =>
  new CelError(`${clauseErrors[letter]}${typeOf(value).name}`);

/** Upstream's default for `%f` and `%e`. */
const defaultPrecision = 6;

const integerOf = (value: Value): number | bigint | undefined =>
  isInt(value) ? value : value instanceof Uint ? value.value : undefined;

const inBase =
  (letter: "b" | "o", base: number): Clause =>
  (value) => {
    if (letter === "b" && typeof value === "boolean") return value ? "1" : "0";
    return integerOf(value)?.toString(base) ?? refuse(letter, value);
  };

function hex(value: Value, isUpper: boolean): string | CelError {
  const bytes = typeof value === "string" ? encodeUtf8(value) : value instanceof Uint8Array ? value : undefined;
  const text =
    bytes === undefined
      ? integerOf(value)?.toString(16)
      : Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  if (text === undefined) return refuse("x", value);
  return isUpper ? text.toUpperCase() : text;
}

const named: ReadonlyMap<string, number> = new Map([
  ["NaN", Number.NaN],
  ["Infinity", Number.POSITIVE_INFINITY],
  ["-Infinity", Number.NEGATIVE_INFINITY],
]);

/** The number of a double, or of the names of doubles that no literal can write. */
const doubleOf = (value: Value): number | undefined =>
  value instanceof Double ? value.value : typeof value === "string" ? named.get(value) : undefined;

/** The clause of a letter, or undefined for an unknown one. */
export function clauseOf(letter: string, precision: number = defaultPrecision): Clause | undefined {
  switch (letter) {
    case "s":
      return formatAsString;
    case "d":
      return (value) => integerOf(value)?.toString() ?? refuse("d", value);
    case "f":
      return (value) => {
        const number = doubleOf(value);
        return number === undefined ? refuse("f", value) : groupedFixedPoint(number, precision);
      };
    case "e":
      return (value) => {
        const number = doubleOf(value);
        return number === undefined ? refuse("e", value) : scientific(number, precision);
      };
    case "b":
      return inBase("b", 2);
    case "o":
      return inBase("o", 8);
    case "x":
    case "X":
      return (value) => hex(value, letter === "X");
    default:
      return undefined;
  }
}

function formatAsString(value: Value): string | CelError {
  if (value === null) return "null";
  if (value instanceof Type) return value.name;
  if (value instanceof ListValue || value instanceof MapValue) return formatNested(value);
  const text = toStringValue(value, stringType);
  if (typeof text === "string") return text;
  return text instanceof CelError && value instanceof Uint8Array ? text : refuse("s", value);
}

/** A list or map, whose strings are quoted. */
function formatNested(value: ListValue | MapValue): string | CelError {
  if (value instanceof MapValue) return formatMap(value);
  const parts: string[] = [];
  for (const element of elementsOf(value)) {
    const text = formatElement(element);
    if (text instanceof CelError) return text;
    parts.push(text);
  }
  return `[${parts.join(", ")}]`;
}

function formatMap(map: MapValue): string | CelError {
  const entries: [string, string][] = [];
  for (const key of map.keys()) {
    const isKey = typeof key === "string" || typeof key === "boolean" || integerOf(key) !== undefined;
    if (!isKey) return new CelError(`no formatting function for map key of type ${typeOf(key).name}`);
    const keyText = formatElement(key);
    if (keyText instanceof CelError) return keyText;
    const text = formatElement(map.find(key) as Value);
    if (text instanceof CelError) return text;
    entries.push([keyText, text]);
  }
  entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${entries.map(([key, text]) => `${key}:${text}`).join(", ")}}`;
}

function formatElement(value: Value): string | CelError {
  if (typeof value === "string") return quoteGo(value);
  if (value instanceof Uint8Array) {
    const text = toStringValue(value, stringType);
    return typeof text === "string" ? `b${quoteGo(text)}` : (text as CelError);
  }
  if (value instanceof Double) {
    const text = fixedPoint(value.value, defaultPrecision);
    return Number.isFinite(value.value) ? text : quoteGo(text);
  }
  if (value instanceof Timestamp) return `timestamp(${quoteGo(toStringValue(value, stringType) as string)})`;
  if (value instanceof Duration) return `duration(${quoteGo(toStringValue(value, stringType) as string)})`;
  const isKnown =
    value === null ||
    typeof value === "boolean" ||
    integerOf(value) !== undefined ||
    value instanceof Type ||
    value instanceof ListValue ||
    value instanceof MapValue;
  return isKnown ? formatAsString(value) : new CelError(`no formatting function for ${typeOf(value).name}`);
}
