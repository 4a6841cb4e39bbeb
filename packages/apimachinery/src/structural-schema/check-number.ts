import { goFloat, Verbatim } from "../field/index.js";
import { type Fault, Findings } from "./findings.js";
import { isWhole, jsonKind } from "./json-kind.js";
import type { ValueSchema } from "./value-schema.js";

/** Bounds, factors and the range of the type. `value`: an integer or a float64. */
export function checkNumber(value: number | bigint, schema: ValueSchema, name: string): Findings {
  const found = Findings.of(...rangeFault(value, schema, "Checked", name));
  const { multipleOf, minimum, exclusiveMinimum, maximum, exclusiveMaximum } = schema;
  const checkLimit = (limit: number | undefined, how: Omit<Limit, "name">): void => {
    if (limit !== undefined) found.add(...limited(value, limit, schema, { ...how, name }));
  };
  checkLimit(multipleOf, { label: "MultipleOf", whole: wholeFactorFault, float: factorFault });
  checkLimit(minimum, {
    label: "Minimum boundary",
    ...(exclusiveMinimum
      ? bound("greater than", (given, least) => given <= least)
      : bound("greater than or equal to", (given, least) => given < least)),
  });
  checkLimit(maximum, {
    label: "Maximum boundary",
    ...(exclusiveMaximum
      ? bound("less than", (given, most) => given >= most)
      : bound("less than or equal to", (given, most) => given > most)),
  });
  found.matches++;
  return found;
}

interface Limit {
  readonly name: string;
  readonly label: string;
  /** Among integers; `limit` has lost its fraction. */
  readonly whole: (value: bigint, limit: bigint, name: string) => Fault | undefined;
  readonly float: (value: number, limit: number, name: string) => Fault | undefined;
}

/** Integers are compared with integers, unless the limit is none that the type could have: that is a fault of its own. */
function limited(
  value: number | bigint,
  limit: number,
  schema: ValueSchema,
  { name, label, whole, float }: Limit,
): Fault[] {
  const wrongLimit = rangeFault(limit, schema, label, name);
  const asFloat = wrongLimit.length > 0 || jsonKind(value) !== "integer";
  const fault = asFloat ? float(Number(value), limit, name) : whole(BigInt(value), toInt64(limit), name);
  return fault ? [...wrongLimit, fault] : wrongLimit;
}

function bound(
  words: string,
  isOver: (value: number | bigint, limit: number | bigint) => boolean,
): Pick<Limit, "whole" | "float"> {
  const compare = (value: number | bigint, limit: number | bigint, name: string): Fault | undefined =>
    isOver(value, limit) ? outside(name, value, `should be ${words} ${shown(limit).text}`) : undefined;
  return { whole: compare, float: compare };
}

/** Floats are shown as Go writes them, a million as 1e+06. */
const shown = (value: number | bigint): Verbatim =>
  new Verbatim(typeof value === "bigint" ? String(value) : goFloat(value));

const outside = (name: string, value: number | bigint, words: string): Fault => ({
  kind: "invalid",
  name,
  value: shown(value),
  message: `${name} in body ${words}`,
});

const notPositive = (name: string, factor: number | bigint): Fault => ({
  kind: "invalid",
  name,
  value: shown(factor),
  message: `factor MultipleOf declared for ${name} must be positive: ${shown(factor).text}`,
});

function wholeFactorFault(value: bigint, factor: bigint, name: string): Fault | undefined {
  if (factor <= 0n) return notPositive(name, factor);
  return value % factor === 0n ? undefined : outside(name, value, `should be a multiple of ${shown(factor).text}`);
}

function factorFault(value: number, factor: number, name: string): Fault | undefined {
  if (factor <= 0) return notPositive(name, factor);
  return isWhole(factor < 1 ? (1 / factor) * value : value / factor)
    ? undefined
    : outside(name, value, `should be a multiple of ${shown(factor).text}`);
}

const [leastInt64, mostInt64] = [-(2n ** 63n), 2n ** 63n - 1n];

/** As Go converts: the fraction is cut off, and what is too large becomes the least. */
function toInt64(value: number): bigint {
  const whole = BigInt(Math.trunc(value));
  return whole < leastInt64 || whole > mostInt64 ? leastInt64 : whole;
}

/** The type only counts where it is one only, and the format where it is one of that type. */
function rangeFault(value: number | bigint, { types, format }: ValueSchema, label: string, name: string): Fault[] {
  const type = types.length === 1 ? types[0] : undefined;
  if (type === "integer") {
    const width = format === "int32" ? "int32" : "int64";
    if (fits(value, width)) return [];
    return [
      {
        kind: "general",
        message: `${label} value must be of type integer ${format === "int32" || format === "int64" ? `with format ${format}` : "(default format)"} in ${name}`,
      },
    ];
  }
  if (type === "number" && format === "float" && !Number.isFinite(Math.fround(Number(value))))
    return [{ kind: "general", message: `${label} value must be of type number with format float in ${name}` }];
  return [];
}

function fits(value: number | bigint, width: "int32" | "int64"): boolean {
  if (typeof value === "number" && !Number.isInteger(value)) return false;
  const whole = BigInt(String(value).includes("e") ? value : String(value)); // Go reads the digits again that it writes of a float
  return width === "int32" ? whole >= -(2n ** 31n) && whole < 2n ** 31n : whole >= leastInt64 && whole <= mostInt64;
}
