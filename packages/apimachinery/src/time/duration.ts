import { trimEndOf } from "../text/trim.js";
import { quoteTime } from "./go-time-quote.js";

/** Nanoseconds, or the error of Go's time.ParseDuration. */
export type ParsedDuration =
  | { readonly nanoseconds: bigint; readonly error?: never }
  | { readonly nanoseconds?: never; readonly error: string };

const units: ReadonlyMap<string, number> = new Map([
  ["ns", 1],
  ["us", 1e3],
  ["µs", 1e3],
  ["μs", 1e3],
  ["ms", 1e6],
  ["s", 1e9],
  ["m", 60e9],
  ["h", 3600e9],
]);

/** One more than the largest int64; as a negative duration it still fits. */
const limit = 2n ** 63n;

/** In UTF-16 units. Query parameters are parsed before the caller is known, and a megabyte of `1h1h…` took the only thread for seconds. */
const longest = 4096;

/** Go's `1h30m`, `1.5s`, `300ms`, `0`; no more than 4 KiB of it. */
export function parseDuration(text: string): ParsedDuration {
  if (text.length > longest) return { error: `time: invalid duration of more than ${longest} characters` };
  const problem = (words: string): ParsedDuration => ({ error: `time: ${words} ${quoteTime(text)}` });
  const negative = text.startsWith("-");
  let rest = negative || text.startsWith("+") ? text.slice(1) : text;
  if (rest === "0") return { nanoseconds: 0n };
  if (rest === "") return problem("invalid duration");
  let total = 0n;
  while (rest !== "") {
    const [number = "", whole = "", fraction = ""] = /^([0-9]*)(?:\.([0-9]*))?/.exec(rest) ?? [];
    if (whole === "" && fraction === "") return problem("invalid duration");
    const name = /^[^.0-9]*/.exec(rest.slice(number.length))?.[0] ?? "";
    const digits = whole.replace(/^0+/, "");
    if (digits.length > 19 || BigInt(digits || "0") > limit) return problem("invalid duration");
    if (name === "") return problem("missing unit in duration");
    const unit = units.get(name);
    if (unit === undefined) return problem(`unknown unit ${quoteTime(name)} in duration`);
    total += BigInt(digits || "0") * BigInt(unit) + fractionOf(fraction, unit);
    if (total > limit) return problem("invalid duration");
    rest = rest.slice(number.length + name.length);
  }
  if (!negative && total === limit) return problem("invalid duration");
  return { nanoseconds: negative ? -total : total };
}

/** In floating point, as Go computes it; digits that no longer fit an int64 are ignored. */
function fractionOf(digits: string, unit: number): bigint {
  let value = 0n;
  let scale = 1;
  for (const digit of digits) {
    const next = value * 10n + BigInt(digit);
    if (value > (limit - 1n) / 10n || next > limit) break;
    value = next;
    scale *= 10;
  }
  return BigInt(Math.trunc(Number(value) * (unit / scale)));
}

/** Milliseconds of a duration's text, or undefined where it is none. */
export function parseDurationMs(text: string): number | undefined {
  const { nanoseconds } = parseDuration(text);
  return nanoseconds === undefined ? undefined : Number(nanoseconds) / 1e6;
}

/** As Go writes it: `1h30m0s`, `1.5s`, `100ms`, `0s`. */
export function formatDuration(nanoseconds: bigint | number): string {
  const whole = BigInt(nanoseconds);
  if (whole === 0n) return "0s";
  const sign = whole < 0n ? "-" : "";
  const value = whole < 0n ? -whole : whole;
  if (value < 1_000n) return `${sign}${value}ns`;
  if (value < 1_000_000n) return `${sign}${withDecimals(value, 3)}µs`;
  if (value < 1_000_000_000n) return `${sign}${withDecimals(value, 6)}ms`;
  const seconds = `${withDecimals(value % 60_000_000_000n, 9)}s`;
  const minutes = (value / 60_000_000_000n) % 60n;
  const hours = value / 3_600_000_000_000n;
  if (hours > 0n) return `${sign}${hours}h${minutes}m${seconds}`;
  return minutes > 0n ? `${sign}${minutes}m${seconds}` : `${sign}${seconds}`;
}

/** Milliseconds as Go writes a duration. */
export const formatDurationMs = (ms: number): string => formatDuration(Math.round(ms * 1e6));

function withDecimals(value: bigint, places: number): string {
  const text = value.toString().padStart(places + 1, "0");
  const decimals = trimEndOf(text.slice(-places), "0");
  const whole = text.slice(0, -places);
  return decimals === "" ? whole : `${whole}.${decimals}`;
}

/** The text that Go writes after reading `text`, or undefined where it is no duration. */
export function canonicalDuration(text: string): string | undefined {
  const { nanoseconds } = parseDuration(text);
  return nanoseconds === undefined ? undefined : formatDuration(nanoseconds);
}
