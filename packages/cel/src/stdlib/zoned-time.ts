import { quoteGo } from "@coxswain/apimachinery/text";
import { CelError, type Timestamp } from "../values/value.js";

/** The parts of a point in time as a clock in some zone shows them. */
export interface ZonedTime {
  readonly year: number;
  /** 0 to 11. */
  readonly month: number;
  /** 1 to 31. */
  readonly day: number;
  /** From 0 on. */
  readonly dayOfYear: number;
  /** 0 is Sunday. */
  readonly weekday: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly millisecond: number;
}

/** In a zone of the time zone database, or at an offset `+01:30` or `-2:00`. */
export function inZone(timestamp: Timestamp, zone: string): ZonedTime | CelError {
  const at = zone.indexOf(":");
  if (at >= 0) return inOffset(timestamp, zone, at);
  // Go takes the empty name for UTC; "Local" would be the server's own zone, which is UTC here.
  if (zone === "" || zone === "UTC" || zone === "Local") return fromSeconds(timestamp, 0);
  const offset = zoneOffset(timestamp.seconds, zone);
  return offset === undefined ? new CelError(`unknown time zone ${zone}`) : fromSeconds(timestamp, offset);
}

function inOffset(timestamp: Timestamp, zone: string, at: number): ZonedTime | CelError {
  const hours = parseInteger(zone.slice(0, at));
  if (hours instanceof CelError) return hours;
  const minutes = parseInteger(zone.slice(at + 1));
  if (minutes instanceof CelError) return minutes;
  return fromSeconds(timestamp, (zone.startsWith("-") ? hours * 60 - minutes : hours * 60 + minutes) * 60);
}

const parseInteger = (text: string): number | CelError =>
  /^[+-]?[0-9]{1,15}$/.test(text)
    ? Number(text)
    : new CelError(`strconv.Atoi: parsing ${quoteGo(text)}: invalid syntax`);

function fromSeconds({ seconds, nanoseconds }: Timestamp, offset: number): ZonedTime {
  const date = new Date((seconds + offset) * 1000);
  const year = date.getUTCFullYear();
  const startOfYear = new Date(0);
  startOfYear.setUTCFullYear(year, 0, 1);
  return {
    year,
    month: date.getUTCMonth(),
    day: date.getUTCDate(),
    dayOfYear: Math.floor((date.getTime() - startOfYear.getTime()) / 86_400_000),
    weekday: date.getUTCDay(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    millisecond: Math.floor(nanoseconds / 1e6),
  };
}

/** Formatters are expensive to make; there are at most as many as there are zones. */
const formatters = new Map<string, Intl.DateTimeFormat | undefined>();
const maxFormatters = 1_000;

/** Seconds east of UTC, or undefined for a zone that does not exist. */
function zoneOffset(seconds: number, zone: string): number | undefined {
  const formatter = formatterOf(zone);
  if (formatter === undefined) return undefined;
  const parts = new Map(formatter.formatToParts(seconds * 1000).map(({ type, value }) => [type, value]));
  const number = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.get(type));
  const year = parts.get("era") === "BC" ? 1 - number("year") : number("year");
  const shown = new Date(0);
  shown.setUTCFullYear(year, number("month") - 1, number("day"));
  shown.setUTCHours(number("hour"), number("minute"), number("second"));
  return shown.getTime() / 1000 - seconds;
}

function formatterOf(zone: string): Intl.DateTimeFormat | undefined {
  if (formatters.has(zone)) return formatters.get(zone);
  // Names of the database only: Intl would also take "+01", which Go does not.
  const formatter = /^[A-Za-z][A-Za-z0-9_+\-/]{0,63}$/.test(zone) ? createFormatter(zone) : undefined;
  if (formatters.size < maxFormatters) formatters.set(zone, formatter);
  return formatter;
}

function createFormatter(zone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      calendar: "gregory",
      numberingSystem: "latn",
      hourCycle: "h23",
      era: "short",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
  } catch {
    // A RangeError: Intl knows no such zone.
    return undefined;
  }
}
