import {
  addIntegers,
  decimalDigits,
  type Integer,
  multiplyIntegers,
  negateInteger,
  scaleDown,
  scaleUp,
  signOf,
  stripTens,
} from "./integer.js";
import { binarySuffix, decimalSuffix, type QuantityFormat } from "./suffix.js";

/** Beyond this many digits between two amounts the smaller no longer counts: it keeps hostile exponents from filling memory. */
const widestGap = 4096;
const largestInt64 = 2n ** 63n - 1n;

/**
 * An exact amount: `unscaled` × 10^`scale`. Immutable.
 *
 * It remembers how it was written (`512Mi`, `0.5`, `1e3`) and writes itself in that form, canonically:
 * no precision is lost, there are no fractions, the suffix is as large as possible.
 */
export class Quantity {
  readonly unscaled: Integer;
  readonly scale: number;
  readonly format: QuantityFormat;
  #text: string | undefined;

  /** @param text what it prints as, where that is known already */
  constructor(unscaled: Integer, scale: number, format: QuantityFormat, text?: string) {
    this.unscaled = unscaled;
    this.scale = scale;
    this.format = format;
    this.#text = text;
  }

  /** `value` × 10^`scale`. */
  static of(value: Integer, format: QuantityFormat = "DecimalSI", scale = 0): Quantity {
    return new Quantity(value, scale, format);
  }

  get sign(): -1 | 0 | 1 {
    return signOf(this.unscaled);
  }

  get isZero(): boolean {
    return this.unscaled === 0;
  }

  /** The sum; where this is zero, in the other's format. */
  add(other: Quantity): Quantity {
    const format = this.isZero ? other.format : this.format;
    if (other.isZero) return new Quantity(this.unscaled, this.scale, format);
    if (this.isZero) return new Quantity(other.unscaled, other.scale, format);
    if (this.scale === other.scale) return new Quantity(addIntegers(this.unscaled, other.unscaled), this.scale, format);
    const [coarse, fine] = this.scale > other.scale ? [this, other] : [other, this];
    const gap = coarse.scale - fine.scale;
    if (gap > widestGap + decimalDigits(fine.unscaled)) return new Quantity(coarse.unscaled, coarse.scale, format);
    return new Quantity(addIntegers(scaleUp(coarse.unscaled, gap), fine.unscaled), fine.scale, format);
  }

  /** The difference; where this is zero, in the other's format. */
  sub(other: Quantity): Quantity {
    return this.add(other.neg());
  }

  neg(): Quantity {
    return new Quantity(negateInteger(this.unscaled), this.scale, this.format);
  }

  /** `factor` is a whole number. */
  mul(factor: Integer): Quantity {
    return new Quantity(multiplyIntegers(this.unscaled, factor), this.scale, this.format);
  }

  /** Negative when this is less, zero when equal, positive when greater; formats do not matter. */
  compare(other: Quantity): number {
    if (this.scale === other.scale) return this.unscaled < other.unscaled ? -1 : this.unscaled > other.unscaled ? 1 : 0;
    const sign = this.sign;
    if (sign !== other.sign || sign === 0) return sign - other.sign;
    // The place of the first digit decides, mostly; only then are powers of ten worth computing.
    const place = this.scale + decimalDigits(this.unscaled);
    const otherPlace = other.scale + decimalDigits(other.unscaled);
    if (place !== otherPlace) return place > otherPlace ? sign : -sign;
    const lowest = Math.min(this.scale, other.scale);
    const ours = scaleUp(this.unscaled, this.scale - lowest);
    const theirs = scaleUp(other.unscaled, other.scale - lowest);
    return ours < theirs ? -1 : ours > theirs ? 1 : 0;
  }

  equals(other: Quantity): boolean {
    return this.compare(other) === 0;
  }

  /** The amount in units of 10^`scale`, away from zero where that is no whole number. Absurdly large ones become the largest int64. */
  scaledValue(scale: number): Integer {
    if (this.scale < scale) return scaleDown(this.unscaled, scale - this.scale).value;
    if (this.scale - scale > widestGap) return multiplyIntegers(largestInt64, this.sign);
    return scaleUp(this.unscaled, this.scale - scale);
  }

  /** The amount as a whole number, rounded away from zero. */
  value(): Integer {
    return this.scaledValue(0);
  }

  /** Thousandths, rounded away from zero. */
  milliValue(): Integer {
    return this.scaledValue(-3);
  }

  /** Nothing finer than 10^`scale`, rounded away from zero. */
  roundUp(scale: number): Quantity {
    return this.scale >= scale ? this : new Quantity(this.scaledValue(scale), scale, this.format);
  }

  /** Nearly the amount; exact only where a double is. */
  toNumber(): number {
    return Number(`${this.unscaled}e${this.scale}`);
  }

  /** The canonical text. */
  toString(): string {
    return (this.#text ??= this.#write());
  }

  toJSON(): string {
    return this.toString();
  }

  #write(): string {
    if (this.isZero) return "0";
    if (this.format === "BinarySI") {
      const whole = this.#wholeFrom1024();
      if (whole !== undefined) return writeBinary(whole);
    }
    return writeDecimal(this.unscaled, this.scale, this.format === "DecimalExponent" ? "DecimalExponent" : "DecimalSI");
  }

  /** A binary suffix never rounds and never stands for less than 1Ki. */
  #wholeFrom1024(): Integer | undefined {
    if (this.scale > widestGap) return undefined;
    const { value, exact } =
      this.scale < 0
        ? scaleDown(this.unscaled, -this.scale)
        : { value: scaleUp(this.unscaled, this.scale), exact: true };
    return exact && (value >= 1024 || value <= -1024) ? value : undefined;
  }
}

function writeBinary(whole: Integer): string {
  let value = whole;
  let power = 0;
  // Six is Ei, the largest suffix.
  for (; power < 6 && (typeof value === "number" ? value % 1024 === 0 : value % 1024n === 0n); power++) {
    value = typeof value === "number" ? value / 1024 : value / 1024n;
  }
  return `${value}${binarySuffix(power)}`;
}

function writeDecimal(unscaled: Integer, scale: number, format: QuantityFormat): string {
  const { value, power } = stripTens(unscaled);
  const exponent = scale + power;
  const down = ((exponent % 3) + 3) % 3;
  return `${scaleUp(value, down)}${decimalSuffix(exponent - down, format)}`;
}
