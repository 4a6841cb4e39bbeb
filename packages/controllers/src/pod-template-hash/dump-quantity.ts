import { parseQuantity, type QuantityFormat } from "@coxswain/apimachinery/quantity";

/** Upstream computes in 64 bits up to so many decimal digits. */
const mostDigits = 18;
/** Of larger amounts it keeps an arbitrary integer with so many decimal places. */
const decimalPlaces = 9;
const mostBinary = 2n ** 63n - 1n;
const suffixes = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
const grammar = /^(-?)(\d+)([A-Za-z]*)/;

/**
 * The members of Go's resource.Quantity, as they are after reading a canonical text. Which members hold the amount depends on
 * its size, and whether the text is kept depends on its form.
 */
export function dumpQuantity(text: string): string {
  if (text === "0") return members({ value: "0", scale: 0, text, format: "DecimalSI" });
  const [, sign = "", digits = "", suffix = ""] = grammar.exec(text) ?? [];
  const quantity = parseQuantity(text);
  const binary = suffixes.indexOf(suffix) * 10;
  if (quantity.format === "BinarySI") {
    const precision = 15 - digits.length - Math.trunc((binary * 3) / 10) - 1;
    if (precision < 0) return large(text, quantity.format);
    const isKept = (BigInt(digits) & 7n) !== 0n;
    const value = sign + (BigInt(digits) << BigInt(binary));
    return members({ value, scale: 0, text: isKept ? text : "", format: quantity.format });
  }
  const { format, scale } = { format: quantity.format, scale: decimalScale(text) };
  if (digits.length > mostDigits || scale < -decimalPlaces) return large(text, format);
  const isKept = scale % 3 === 0 && !digits.endsWith("000");
  return members({ value: sign + digits, scale, text: isKept ? text : "", format });
}

const decimalSuffixes: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  "": 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};

function decimalScale(text: string): number {
  const [, exponent] = /[eE]([-+]?\d+)$/.exec(text) ?? [];
  if (exponent !== undefined) return Number(exponent);
  return decimalSuffixes[/[A-Za-z]?$/.exec(text)?.[0] ?? ""] ?? 0;
}

interface SmallAmount {
  readonly value: string;
  readonly scale: number;
  readonly text: string;
  readonly format: QuantityFormat;
}

const members = ({ value, scale, text, format }: SmallAmount): string =>
  `{i:(resource.int64Amount){value:(int64)${value} scale:(resource.Scale)${scale}} ` +
  `d:(resource.infDecAmount){Dec:(*inf.Dec)<nil>} s:(string)${text} Format:(resource.Format)${format}}`;

function large(text: string, format: QuantityFormat): string {
  const amount = BigInt(parseQuantity(text).scaledValue(-decimalPlaces));
  const isCapped = format === "BinarySI" && amount >= mostBinary * 10n ** BigInt(decimalPlaces);
  const unscaled = isCapped ? mostBinary : amount < 0n ? -amount : amount;
  const words: string[] = [];
  for (let rest = unscaled; rest > 0n; rest >>= 64n) words.push(String(rest & (2n ** 64n - 1n)));
  const scale = isCapped ? 0 : decimalPlaces;
  return (
    "{i:(resource.int64Amount){value:(int64)0 scale:(resource.Scale)0} d:(resource.infDecAmount){Dec:(*inf.Dec)" +
    `{unscaled:(big.Int){neg:(bool)${amount < 0n} abs:(big.nat)[${words.join(" ")}]} scale:(inf.Scale)${scale}}} ` +
    `s:(string) Format:(resource.Format)${format}}`
  );
}
