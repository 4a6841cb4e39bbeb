import { parseQuantity } from "./parse-quantity.js";

const zero = 0x30;

/** Reads digits alone, or -1: the shape of nearly every amount up to its suffix. */
function digitsUpTo(text: string, end: number): number {
  if (end === 0 || end > 15) return -1;
  let value = 0;
  for (let at = 0; at < end; at++) {
    const digit = text.charCodeAt(at) - zero;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}

/**
 * The value of a quantity's text as a number, rounded away from zero; for sums over many pods.
 * Beyond 2^53 it is only nearly right: use `parseQuantity` there.
 * @throws QuantityError
 */
export function quantityValue(text: string): number {
  const plain = digitsUpTo(text, text.length);
  if (plain >= 0) return plain;
  if (text.endsWith("i")) {
    const unit = binaryUnits.get(text.charCodeAt(text.length - 2));
    const digits = unit === undefined ? -1 : digitsUpTo(text, text.length - 2);
    if (unit !== undefined && digits >= 0 && digits * unit < 2 ** 53) return digits * unit;
  }
  return Number(parseQuantity(text).value());
}

/** Thousandths of a quantity's text as a number, rounded away from zero: CPU. See `quantityValue`. */
export function quantityMilliValue(text: string): number {
  const plain = digitsUpTo(text, text.length);
  if (plain >= 0 && plain < 2 ** 43) return plain * 1000;
  const millis = text.endsWith("m") ? digitsUpTo(text, text.length - 1) : -1;
  return millis >= 0 ? millis : Number(parseQuantity(text).milliValue());
}

const binaryUnits: ReadonlyMap<number, number> = new Map(
  [..."KMGT"].map((letter, i) => [letter.charCodeAt(0), 1024 ** (i + 1)]),
);
