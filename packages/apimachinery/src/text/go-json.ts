/** What Go's encoding/json escapes and JSON.stringify does not. */
export const goEscapes: Readonly<Record<string, string>> = {
  "<": "\\u003c",
  ">": "\\u003e",
  "&": "\\u0026",
  "\u2028": "\\u2028",
  "\u2029": "\\u2029",
};

/** A value as Go's json.Marshal writes it; nothing at all is `null`, as a nil pointer is. */
export function goJson(value: unknown, indent = 0): string {
  const text = JSON.stringify(
    value,
    (_key, member: unknown) => (typeof member === "bigint" ? rawNumber(member) : member),
    indent,
  );
  return (text ?? "null").replace(/[<>&\u2028\u2029]/g, (char) => goEscapes[char] ?? char).replace(bigintMark, "$1");
}

// JSON.stringify has no raw numbers on Node 20, so a bigint goes through it as a marked string and loses its quotes after.
const rawNumber = (value: bigint): string => `\ue000bigint:${value}\ue000`;
const bigintMark = /"\ue000bigint:(-?\d+)\ue000"/g;

/** A number as Go's %v writes it: integers in full, others as a float64, with the shortest digits that read back the same. */
export function goNumber(value: number | bigint): string {
  return typeof value === "bigint" || Number.isSafeInteger(value) ? String(value) : goFloat(value);
}

/** A float64 as Go's %v writes it, `1e+06` for a million. */
export function goFloat(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "+Inf" : "-Inf";
  const [digits = "0", exponent = "0"] = value.toExponential().split("e");
  const power = Number(exponent);
  if (power < -4 || power >= 6) {
    const size = String(Math.abs(power)).padStart(2, "0");
    return `${digits}e${power < 0 ? "-" : "+"}${size}`;
  }
  // Between those bounds JavaScript never turns to exponents itself.
  return String(value);
}
