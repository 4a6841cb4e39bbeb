import { getOwn } from "@coxswain/apimachinery/own";
import { type Structural } from "@coxswain/apimachinery/structural-schema";
import { parseDuration, parseTime } from "@coxswain/apimachinery/time";
import { CelError, Duration, Timestamp, type Value } from "../values/value.js";

/** A string in expressions, by the format of its schema: durations, dates and bytes have types of their own. */
export function formattedString(text: string, schema: Structural): Value {
  switch (getOwn<unknown>(schema.source, "format")) {
    case "duration":
      return durationOf(text);
    case "date":
      return dateOf(text);
    case "date-time":
      return dateTimeOf(text);
    case "byte":
      return bytesOf(text);
    default:
      return text;
  }
}

const units: ReadonlyMap<string, bigint> = new Map(
  (
    [
      [["ns", "nano"], 1n],
      [["us", "µs", "micro"], 1_000n],
      [["ms", "milli"], 1_000_000n],
      [["s", "sec"], 1_000_000_000n],
      [["m", "min"], 60_000_000_000n],
      [["h", "hr", "hour"], 3_600_000_000_000n],
      [["d", "day"], 86_400_000_000_000n],
      [["w", "wk", "week"], 604_800_000_000_000n],
    ] as const
  ).flatMap(([names, size]) => names.map((name) => [name, size] as const)),
);

/** Go's `1h30m`, or words: `2 days`, `1 week 3 hours`. */
function durationOf(text: string): Value {
  const parsed = parseDuration(text).nanoseconds;
  if (parsed !== undefined) return new Duration(parsed);
  let total = 0n;
  let found = false;
  for (const [, count = "0", unit = ""] of text.matchAll(/(\d+)\s*([A-Za-zµ]*)/g)) {
    const size = unitSize(unit.toLowerCase());
    if (size === undefined) continue;
    found = true;
    total += BigInt(count) * size;
  }
  return found
    ? new Duration(BigInt.asIntN(64, total))
    : new CelError(`Invalid duration ${text}: unable to parse ${text} as duration`);
}

/** The last name of each unit may have anything behind it: `hours`. */
const prefixes = ["nano", "micro", "milli", "sec", "min", "hour", "day", "week"];

function unitSize(unit: string): bigint | undefined {
  const prefix = prefixes.find((name) => unit.startsWith(name));
  return units.get(unit) ?? (prefix === undefined ? undefined : units.get(prefix));
}

function dateOf(text: string): Value {
  const { instant } = /^\d{4}-\d{2}-\d{2}$/.test(text) ? parseTime(`${text}T00:00:00Z`) : { instant: undefined };
  if (instant === undefined) return new CelError(`Invalid date formatted string ${text}`);
  return new Timestamp(instant.seconds, 0);
}

function dateTimeOf(text: string): Value {
  // A time without a zone is one of UTC.
  const zoned = /T\d\d:\d\d:\d\d(?:\.\d+)?$/.test(text) ? `${text}Z` : text;
  const { instant, error } = parseTime(zoned);
  if (instant === undefined) return new CelError(`Invalid date-time formatted string ${text}: ${error}`);
  return new Timestamp(instant.seconds, instant.nanoseconds);
}

function bytesOf(text: string): Value {
  if (!/^[A-Za-z0-9+/\r\n]*(?:={1,2}[\r\n]*)?$/.test(text))
    return new CelError(`Invalid byte formatted string ${text}`);
  return Uint8Array.from(atob(text.replace(/[\r\n]/g, "")), (char) => char.charCodeAt(0));
}
