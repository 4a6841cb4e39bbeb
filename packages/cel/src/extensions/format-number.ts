/** Numbers as upstream's formatter writes them (github.com/google/cel-go/ext/formatting.go, matchLanguage), in the locale en_US that it always uses. */

/** Go's `%.Nf`: exact, ties to even. */
export function fixedPoint(value: number, precision: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "+Inf" : "-Inf";
  const digits = roundedDigits(Math.abs(value), precision).padStart(precision + 1, "0");
  const whole = digits.slice(0, digits.length - precision);
  const fraction = precision === 0 ? "" : `.${digits.slice(digits.length - precision)}`;
  return `${value < 0 || Object.is(value, -0) ? "-" : ""}${whole}${fraction}`;
}

/** The digits of value × 10^precision as an integer. */
function roundedDigits(value: number, precision: number): string {
  const { mantissa, exponent } = decompose(value);
  const scaled = mantissa * 10n ** BigInt(precision);
  if (exponent >= 0) return String(scaled << BigInt(exponent));
  const divisor = 1n << BigInt(-exponent);
  const quotient = scaled / divisor;
  const rest = (scaled % divisor) * 2n;
  const roundsUp = rest > divisor || (rest === divisor && quotient % 2n === 1n);
  return String(roundsUp ? quotient + 1n : quotient);
}

/** value = mantissa × 2^exponent, exactly. */
function decompose(value: number): { mantissa: bigint; exponent: number } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const biased = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xf_ffff_ffff_ffffn;
  return biased === 0
    ? { mantissa: fraction, exponent: -1074 }
    : { mantissa: fraction | (1n << 52n), exponent: biased - 1075 };
}

/** `1,234.50`. */
export function groupedFixedPoint(value: number, precision: number): string {
  if (!Number.isFinite(value)) return symbol(value);
  const [whole = "", fraction] = fixedPoint(value, precision).split(".");
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ",");
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

const symbol = (value: number): string => (Number.isNaN(value) ? "NaN" : value > 0 ? "∞" : "-∞");

const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** `1.052033×10⁰³`. Upstream takes the precision of this clause for a width, so there are always six decimals. */
export function scientific(value: number, width: number): string {
  const text = Number.isFinite(value) ? withExponent(value) : symbol(value);
  return " ".repeat(Math.max(0, width - text.length)) + text;
}

function withExponent(value: number): string {
  const [mantissa = "", exponent = "0"] = value.toExponential(6).split("e");
  const power = Number(exponent);
  const digits = String(Math.abs(power)).padStart(2, "0");
  const raised = [...digits].map((digit) => superscripts[Number(digit)]).join("");
  return `${mantissa}×10${power < 0 ? "⁻" : ""}${raised}`;
}
