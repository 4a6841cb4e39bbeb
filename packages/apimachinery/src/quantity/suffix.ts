/** How a quantity was written, and is written again. */
export type QuantityFormat = "DecimalSI" | "BinarySI" | "DecimalExponent";

export interface Suffix {
  readonly format: QuantityFormat;
  /** Of ten, except for BinarySI: of two. */
  readonly exponent: number;
}

const suffixes: ReadonlyMap<string, Suffix> = new Map<string, Suffix>([
  ["n", { format: "DecimalSI", exponent: -9 }],
  ["u", { format: "DecimalSI", exponent: -6 }],
  ["m", { format: "DecimalSI", exponent: -3 }],
  ["", { format: "DecimalSI", exponent: 0 }],
  ["k", { format: "DecimalSI", exponent: 3 }],
  ["M", { format: "DecimalSI", exponent: 6 }],
  ["G", { format: "DecimalSI", exponent: 9 }],
  ["T", { format: "DecimalSI", exponent: 12 }],
  ["P", { format: "DecimalSI", exponent: 15 }],
  ["E", { format: "DecimalSI", exponent: 18 }],
  ["Ki", { format: "BinarySI", exponent: 10 }],
  ["Mi", { format: "BinarySI", exponent: 20 }],
  ["Gi", { format: "BinarySI", exponent: 30 }],
  ["Ti", { format: "BinarySI", exponent: 40 }],
  ["Pi", { format: "BinarySI", exponent: 50 }],
  ["Ei", { format: "BinarySI", exponent: 60 }],
]);

const exponentForm = /^[eE]([-+]?[0-9]+)$/;

/** What a suffix means; undefined where it means nothing. */
export function readSuffix(text: string): Suffix | undefined {
  const known = suffixes.get(text);
  if (known !== undefined) return known;
  const digits = exponentForm.exec(text)?.[1];
  if (digits === undefined) return undefined;
  const exponent = BigInt(digits.startsWith("+") ? digits.slice(1) : digits);
  if (BigInt.asIntN(64, exponent) !== exponent) return undefined;
  // Upstream keeps the lower 32 bits.
  return { format: "DecimalExponent", exponent: Number(BigInt.asIntN(32, exponent)) };
}

const decimalSuffixes = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];
const binarySuffixes = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

/** The suffix for a power of ten that is a multiple of three. Beyond `E` upstream writes none, and so the value changes. */
export function decimalSuffix(exponent: number, format: QuantityFormat): string {
  if (format === "DecimalExponent") return exponent === 0 ? "" : `e${exponent}`;
  return decimalSuffixes[exponent / 3 + 3] ?? "";
}

export const binarySuffix = (power: number): string => binarySuffixes[power] ?? "";
