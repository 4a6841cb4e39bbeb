import { trimEndOf } from "../text/trim.js";

/**
 * Whole numbers of any size: a number while it is exact, a bigint beyond 2^53.
 * Every function returns the smaller form, so that ordinary amounts never pay for bigints.
 */
export type Integer = number | bigint;

export function shrink(value: bigint): Integer {
  const small = Number(value);
  return Number.isSafeInteger(small) ? small : value;
}

export function addIntegers(a: Integer, b: Integer): Integer {
  if (typeof a === "number" && typeof b === "number") {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return shrink(BigInt(a) + BigInt(b));
}

export function multiplyIntegers(a: Integer, b: Integer): Integer {
  if (typeof a === "number" && typeof b === "number") {
    const product = a * b;
    // -0 would print as 0 but compare oddly.
    if (Number.isSafeInteger(product)) return product + 0;
  }
  return shrink(BigInt(a) * BigInt(b));
}

export const negateInteger = (a: Integer): Integer => (a === 0 ? 0 : -a);

const powers: readonly number[] = Array.from({ length: 16 }, (_, power) => 10 ** power);

/** `value` × 10^power; `power` is not negative. */
export const scaleUp = (value: Integer, power: number): Integer =>
  value === 0 ? 0 : multiplyIntegers(value, powers[power] ?? 10n ** BigInt(power));

/** `value` ÷ 10^power, away from zero where that does not come out even. */
export function scaleDown(value: Integer, power: number): { value: Integer; exact: boolean } {
  const divisor = powers[power];
  if (typeof value === "number" && divisor !== undefined) {
    const rest = value % divisor;
    if (rest === 0) return { value: value / divisor + 0, exact: true };
    return { value: (value - rest) / divisor + Math.sign(value), exact: false };
  }
  // More digits than the value has: only the sign is left of it. Nobody may make us compute a power with a million digits.
  if (power > decimalDigits(value)) return { value: signOf(value), exact: value === 0 };
  const big = BigInt(value);
  const unit = 10n ** BigInt(power);
  const rest = big % unit;
  return { value: shrink(big / unit + (rest === 0n ? 0n : BigInt(signOf(value)))), exact: rest === 0n };
}

export const signOf = (value: Integer): -1 | 0 | 1 => (value > 0 ? 1 : value < 0 ? -1 : 0);

/** How many decimal digits the magnitude has; zero has one. */
export function decimalDigits(value: Integer): number {
  const text = String(value);
  return value < 0 ? text.length - 1 : text.length;
}

/** Takes factors of ten out: value = stripped × 10^power. */
export function stripTens(value: Integer): { value: Integer; power: number } {
  if (value === 0) return { value, power: 0 };
  if (typeof value === "number") {
    let stripped = value;
    let power = 0;
    for (; stripped % 10 === 0; power++) stripped /= 10;
    return { value: stripped, power };
  }
  const text = String(value);
  const significant = trimEndOf(text, "0");
  return { value: shrink(BigInt(significant)), power: text.length - significant.length };
}
