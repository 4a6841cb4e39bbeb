import { type Integer, multiplyIntegers, scaleDown, shrink } from "./integer.js";
import { Quantity } from "./quantity.js";
import { type QuantityFormat, readSuffix } from "./suffix.js";

/** Upstream's error for a text that is no quantity. */
export const quantityErrors = {
  format: "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  suffix: "unable to parse quantity's suffix",
} as const;

export type QuantityProblem = (typeof quantityErrors)[keyof typeof quantityErrors];

/** A text that is no quantity. The message is upstream's. */
export class QuantityError extends Error {
  constructor(message: QuantityProblem) {
    super(message);
    this.name = "QuantityError";
  }
}

/** @throws QuantityError */
export function parseQuantity(text: string): Quantity {
  const read = readQuantity(text);
  if (typeof read === "string") throw new QuantityError(read);
  return read;
}

/** Sign, whole part, fraction, suffix. The numeric part may be missing altogether: upstream reads `Ki` as zero. */
const grammar = /^([+-]?)([0-9]*)(?:\.([0-9]*))?([eEinumkKMGTP]+[-+]?[0-9]*|[-+][0-9]*|)$/;

/** 2^63-1: no binary quantity is larger. */
const mostBinary = 2n ** 63n - 1n;
/** Nothing is finer than a nano. */
const finestScale = -9;
/** Up to this many digits upstream computes with machine integers, and then keeps a text that is already canonical. */
const mostDigits = 18;

/** No amount of anything needs as many digits; upstream reads them all, and computing with a million of them takes seconds. */
const longestText = 1024;

/** The quantity, or what is wrong with the text. */
export function readQuantity(text: string): Quantity | QuantityProblem {
  const match = text === "" || text.length > longestText ? null : grammar.exec(text);
  if (match === null) return quantityErrors.format;
  const [, sign = "", leading = "", fraction = "", suffixText = ""] = match;
  const suffix = readSuffix(suffixText);
  if (suffix === undefined) return quantityErrors.suffix;
  const whole = leading.replace(/^0+(?=.)/, "").replace(/^0$/, "") || "0";
  const digits = whole + fraction;
  const negative = sign === "-";
  const { format, exponent } = suffix;
  if (format === "BinarySI") return readBinary({ text, whole, fraction, exponent, negative });
  const magnitude = integerOf(digits);
  const value = negative && magnitude !== 0 ? -magnitude : magnitude;
  const scale = exponent - fraction.length;
  if (digits.length <= mostDigits && scale >= finestScale) {
    const canonical = scale % 3 === 0 && !digits.endsWith("000") && !digits.startsWith("0");
    return new Quantity(value, scale, format, canonical ? text : undefined);
  }
  return roundToNano(value, scale, format);
}

const integerOf = (digits: string): Integer => (digits.length <= 15 ? Number(digits) : shrink(BigInt(digits)));

/** Values below a nano become one, "if you want some resources, you should get some". */
function roundToNano(value: Integer, scale: number, format: QuantityFormat): Quantity {
  if (scale >= finestScale) return new Quantity(value, scale, format);
  return new Quantity(scaleDown(value, finestScale - scale).value, finestScale, format);
}

interface BinaryParts {
  readonly text: string;
  readonly whole: string;
  readonly fraction: string;
  readonly exponent: number;
  readonly negative: boolean;
}

function readBinary({ text, whole, fraction, exponent, negative }: BinaryParts): Quantity {
  const digits = integerOf(whole + fraction);
  const magnitude = multiplyIntegers(digits, 2 ** exponent);
  const signed = (value: Integer): Integer => (negative && value !== 0 ? -value : value);
  // The estimate of digits is upstream's: a power of 2^10 takes three.
  if (fraction === "" && whole.length + (exponent * 3) / 10 + 1 <= 15) {
    const canonical = typeof digits === "number" && digits % 8 !== 0;
    return new Quantity(signed(magnitude), 0, "BinarySI", canonical ? text : undefined);
  }
  const rounded = fraction.length > 9 ? scaleDown(magnitude, fraction.length - 9).value : magnitude;
  const scale = -Math.min(fraction.length, 9);
  const quantity = new Quantity(rounded, scale, "BinarySI");
  const capped =
    quantity.compare(new Quantity(mostBinary, 0, "BinarySI")) > 0 ? new Quantity(mostBinary, 0, "BinarySI") : quantity;
  const small = capped.sign > 0 && capped.compare(new Quantity(1, 0, "BinarySI")) < 0;
  return new Quantity(signed(capped.unscaled), capped.scale, small ? "DecimalSI" : "BinarySI");
}
