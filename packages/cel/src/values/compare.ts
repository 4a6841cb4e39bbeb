import { compareUtf8 } from "@coxswain/apimachinery/text";
import { CelError, Double, Duration, noSuchOverload, Timestamp, Uint, type Value } from "./value.js";

export type Numeric = number | bigint | Double | Uint;

export const isNumeric = (value: Value): value is Numeric =>
  typeof value === "number" || typeof value === "bigint" || value instanceof Double || value instanceof Uint;

/** -1, 0 or 1; NaN where a double is not a number. Between integers and doubles both are compared as doubles, as upstream does (github.com/google/cel-go/common/types/compare.go, compareDoubleInt). */
export function compareNumbers(a: Numeric, b: Numeric): number {
  if (a instanceof Double) return compareDouble(a.value, b instanceof Double ? b.value : integerOf(b));
  if (b instanceof Double) {
    const compared = compareDouble(b.value, integerOf(a));
    return compared === 0 ? 0 : -compared;
  }
  return sign(integerOf(a), integerOf(b));
}

const integerOf = (value: number | bigint | Uint | Double): number | bigint =>
  value instanceof Uint ? value.value : (value as number | bigint);

function compareDouble(a: number, b: number | bigint): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.NaN;
  return sign(a, Number(b));
}

const sign = (a: number | bigint, b: number | bigint): number => (a < b ? -1 : a > b ? 1 : 0);

/** Whether values of its type have an order. */
export const isComparable = (value: Value): boolean =>
  typeof value !== "object" ||
  value instanceof Double ||
  value instanceof Uint ||
  value instanceof Timestamp ||
  value instanceof Duration ||
  value instanceof Uint8Array;

/** -1, 0 or 1, or why the two have no order. */
export function compare(a: Value, b: Value): number | CelError {
  if (typeof a === "number" && typeof b === "number") return a < b ? -1 : a > b ? 1 : 0;
  if (typeof a === "string" && typeof b === "string") return a === b ? 0 : compareUtf8(a, b) < 0 ? -1 : 1;
  if (isNumeric(a) && isNumeric(b)) {
    const result = compareNumbers(a, b);
    return Number.isNaN(result) ? new CelError("NaN values cannot be ordered") : result;
  }
  if (a instanceof Timestamp && b instanceof Timestamp)
    return sign(a.seconds, b.seconds) || sign(a.nanoseconds, b.nanoseconds);
  if (a instanceof Duration && b instanceof Duration) return sign(a.nanoseconds, b.nanoseconds);
  if (typeof a === "boolean" && typeof b === "boolean") return sign(Number(a), Number(b));
  if (a instanceof Uint8Array && b instanceof Uint8Array) return compareBytes(a, b);
  return noSuchOverload();
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length);
  for (let index = 0; index < shared; index++) {
    const difference = (a[index] as number) - (b[index] as number);
    if (difference !== 0) return Math.sign(difference);
  }
  return sign(a.length, b.length);
}
