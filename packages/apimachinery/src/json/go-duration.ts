import { timeQuote } from "./go-time.js";

const units = new Map<string, number>([
  ["ns", 1],
  ["us", 1e3],
  ["µs", 1e3],
  ["μs", 1e3],
  ["ms", 1e6],
  ["s", 1e9],
  ["m", 60e9],
  ["h", 3600e9],
]);
const largest = 2n ** 63n;

/** Nanoseconds, or what Go's `time.ParseDuration` says of the text. */
export type ParsedDuration = { readonly nanoseconds: bigint } | { readonly error: string };

export function parseGoDuration(text: string): ParsedDuration {
  const invalid: ParsedDuration = { error: `time: invalid duration ${timeQuote(text)}` };
  const negative = text.startsWith("-");
  let rest = negative || text.startsWith("+") ? text.slice(1) : text;
  if (rest === "0") return { nanoseconds: 0n };
  if (rest === "") return invalid;
  let total = 0n;
  while (rest !== "") {
    const [number = "", whole = "", fraction = ""] = /^([0-9]*)(?:\.([0-9]*))?/.exec(rest) ?? [];
    if (whole === "" && fraction === "") return invalid;
    rest = rest.slice(number.length);
    const unit = /^[^.0-9]*/.exec(rest)?.[0] ?? "";
    if (unit === "") return { error: `time: missing unit in duration ${timeQuote(text)}` };
    const scale = units.get(unit);
    if (scale === undefined) return { error: `time: unknown unit ${timeQuote(unit)} in duration ${timeQuote(text)}` };
    rest = rest.slice(unit.length);
    total += (whole.length > 30 ? largest + 1n : BigInt(whole === "" ? 0 : whole)) * BigInt(scale) + fractionOf(fraction, scale);
    if (total > largest) return invalid;
  }
  if (!negative && total > largest - 1n) return invalid;
  return { nanoseconds: negative ? -total : total };
}

/** In floating point, as Go does it; digits that no longer fit an int64 are ignored. */
function fractionOf(digits: string, scale: number): bigint {
  let value = 0n;
  let divisor = 1;
  for (const digit of digits) {
    if (value > (largest - 1n) / 10n || value * 10n + BigInt(digit) > largest) break;
    value = value * 10n + BigInt(digit);
    divisor *= 10;
  }
  return BigInt(Math.trunc(Number(value) * (scale / divisor)));
}

/** As Go writes it: "1h30m0s", "1.5s", "100ms", "0s". */
export function formatGoDuration(nanoseconds: bigint): string {
  if (nanoseconds === 0n) return "0s";
  const sign = nanoseconds < 0n ? "-" : "";
  const value = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  if (value < 1_000n) return `${sign}${value}ns`;
  if (value < 1_000_000n) return `${sign}${withFraction(value, 3)}µs`;
  if (value < 1_000_000_000n) return `${sign}${withFraction(value, 6)}ms`;
  const hours = value / 3_600_000_000_000n;
  const minutes = (value / 60_000_000_000n) % 60n;
  const seconds = `${withFraction(value % 60_000_000_000n, 9)}s`;
  if (hours > 0n) return `${sign}${hours}h${minutes}m${seconds}`;
  return minutes > 0n ? `${sign}${minutes}m${seconds}` : `${sign}${seconds}`;
}

function withFraction(value: bigint, places: number): string {
  const unit = 10n ** BigInt(places);
  const fraction = (value % unit).toString().padStart(places, "0").replace(/0+$/, "");
  return fraction === "" ? `${value / unit}` : `${value / unit}.${fraction}`;
}

/** The text Go would write after reading `text`, or undefined if it is no duration. */
export function canonicalDuration(text: string): string | undefined {
  const parsed = parseGoDuration(text);
  return "error" in parsed ? undefined : formatGoDuration(parsed.nanoseconds);
}
