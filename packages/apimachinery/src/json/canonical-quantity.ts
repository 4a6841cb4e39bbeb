/** What upstream says of a text that is no quantity. */
export const quantityFormatMessage = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

const grammar = /^([+-]?)([0-9]*)(?:\.([0-9]*))?(n|u|m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei|[eE][+-]?[0-9]+)?$/;
const decimal = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];
const binary = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

/** The text Go would write after reading `text`, or undefined if it is no quantity. */
export function canonicalQuantity(text: string): string | undefined {
  return isCanonical(text) ? text : rewrite(text);
}

/** The common forms, unchanged by Go: a few digits that the suffix cannot take up, and a suffix. */
function isCanonical(text: string): boolean {
  let at = 0;
  let value = 0;
  for (; at < text.length; at++) {
    const digit = text.charCodeAt(at) - 0x30;
    if (digit < 0 || digit > 9) break;
    value = value * 10 + digit;
  }
  if (at === 0 || at > 6 || text.charCodeAt(0) === 0x30) return text === "0";
  if (at === text.length) return value % 1000 !== 0;
  const suffix = text.length - at;
  const letter = text[at] as string;
  if (suffix === 1) return "mkMGT".includes(letter) && value % 1000 !== 0;
  return suffix === 2 && text[at + 1] === "i" && "KMGT".includes(letter) && value % 1024 !== 0;
}

function rewrite(text: string): string | undefined {
  const match = grammar.exec(text);
  const [, sign = "", whole = "", fraction = "", suffix = ""] = match ?? [];
  if (!match || whole + fraction === "") return undefined;
  const isBinary = suffix.endsWith("i");
  const isExponent = /^[eE]/.test(suffix);
  const exponent = isExponent ? Number(suffix.slice(1)) : isBinary ? binary.indexOf(suffix) * 10 : (decimal.indexOf(suffix) - 3) * 3;
  const digits = whole.replace(/^0+/, "") + fraction;
  const scale = (isBinary ? 0 : exponent) - fraction.length;
  if (!isBinary && scale >= -9 && digits.length <= 18 && scale % 3 === 0 && !digits.endsWith("000") && !/^0|^$/.test(digits)) return text; // Go keeps what needs no rewriting
  let unscaled = BigInt(digits === "" ? "0" : digits);
  if (unscaled === 0n) return "0";
  if (isBinary) unscaled *= 2n ** BigInt(exponent);
  let places = scale;
  if (places < -9) {
    const divisor = 10n ** BigInt(Math.min(-9 - places, 400));
    unscaled = unscaled / divisor + (unscaled % divisor === 0n ? 0n : 1n); // up, away from zero
    places = -9;
  }
  const minus = sign === "-" ? "-" : "";
  if (isBinary) {
    const inBinary = writeBinary(unscaled, places);
    if (inBinary !== undefined) return minus + inBinary;
  }
  return minus + writeDecimal(unscaled, places, isExponent);
}

function writeBinary(unscaled: bigint, places: number): string | undefined {
  const unit = 10n ** BigInt(-places);
  if (unscaled % unit !== 0n || unscaled / unit < 1024n) return undefined; // shown in decimal rather than rounded
  let value = unscaled / unit;
  if (value > 2n ** 63n - 1n) value = 2n ** 63n - 1n;
  let power = 0;
  while (value % 1024n === 0n && power < 6) {
    value /= 1024n;
    power++;
  }
  return `${value}${binary[power]}`;
}

function writeDecimal(unscaled: bigint, places: number, isExponent: boolean): string {
  let value = unscaled;
  let power = places;
  while (value % 10n === 0n) {
    value /= 10n;
    power++;
  }
  while (power % 3 !== 0) {
    value *= 10n;
    power--;
  }
  const suffix = isExponent ? (power === 0 ? "" : `e${power}`) : decimal[power / 3 + 3];
  if (suffix !== undefined) return `${value}${suffix}`;
  return `${value * 10n ** BigInt(power - 18)}E`;
}
