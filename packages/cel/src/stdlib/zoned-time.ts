import { isTimeZone, zoneOffsetMs } from "@coxswain/apimachinery/cron";
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
  if (!isTimeZone(zone)) return new CelError(`unknown time zone ${zone}`);
  return fromSeconds(timestamp, zoneOffsetMs(zone, timestamp.seconds * 1000) / 1000);
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
