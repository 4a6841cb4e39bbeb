import { CelError, type Value } from "./value.js";

export const minInt = -(2n ** 63n);
export const maxInt = 2n ** 63n - 1n;
export const maxUint = 2n ** 64n - 1n;

export const isInt = (value: Value): value is number | bigint => typeof value === "number" || typeof value === "bigint";

/** The canonical form of an integer: a number while it is safe. Undefined beyond 64 bits. */
export function intOf(value: bigint): number | bigint | undefined {
  if (value >= -9007199254740991n && value <= 9007199254740991n) return Number(value);
  return value < minInt || value > maxInt ? undefined : value;
}

const overflow = (): CelError => new CelError("integer overflow");
const checked = (value: bigint): Value => intOf(value) ?? overflow();

export function addInt(a: number | bigint, b: number | bigint): Value {
  if (typeof a === "number" && typeof b === "number") {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return checked(BigInt(a) + BigInt(b));
}

export function subtractInt(a: number | bigint, b: number | bigint): Value {
  if (typeof a === "number" && typeof b === "number") {
    const difference = a - b;
    if (Number.isSafeInteger(difference)) return difference;
  }
  return checked(BigInt(a) - BigInt(b));
}

export function multiplyInt(a: number | bigint, b: number | bigint): Value {
  if (typeof a === "number" && typeof b === "number") {
    const product = a * b;
    // -0 is no integer of CEL.
    if (Number.isSafeInteger(product)) return product === 0 ? 0 : product;
  }
  return checked(BigInt(a) * BigInt(b));
}

export function divideInt(a: number | bigint, b: number | bigint): Value {
  if (b === 0) return new CelError("division by zero");
  if (typeof a === "number" && typeof b === "number") {
    const quotient = Math.trunc(a / b);
    if (Math.abs(a) < 2 ** 51) return quotient === 0 ? 0 : quotient;
  }
  return checked(BigInt(a) / BigInt(b));
}

export function moduloInt(a: number | bigint, b: number | bigint): Value {
  if (b === 0) return new CelError("modulus by zero");
  if (a === minInt && b === -1) return overflow();
  if (typeof a === "number" && typeof b === "number") {
    const rest = a % b;
    return rest === 0 ? 0 : rest;
  }
  return checked(BigInt(a) % BigInt(b));
}

export const negateInt = (a: number | bigint): Value => (typeof a === "number" ? (a === 0 ? 0 : -a) : checked(-a));
