/** A date and a time of day in some zone. Months count from 1; the weekday of Sunday is 0. */
export interface CivilTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly weekday: number;
}

// The time zone data is that of the platform: the copy in Node (`process.versions.tz`; `NODE_ICU_DATA` names another one). Upstream
// has its own likewise, that of the operating system or of the Go release it was built with. A country that changes its clocks
// needs a newer Node here.

/**
 * Whether the time zone database has the name. Names are case-sensitive, as files are; the runtime does not, so that a small
 * first letter counts as unknown here.
 */
export function isTimeZone(zone: string): boolean {
  if (!zone.split("/").every((one) => /^[A-Z]/.test(one))) return false;
  try {
    formatterOf(zone);
    return true;
  } catch {
    return false; // a RangeError: nothing else can be wrong with it
  }
}

/** The zone of this process. */
export const localTimeZone = (): string => Intl.DateTimeFormat("en").resolvedOptions().timeZone;

/** Formatters are costly to make. There are some 600 zones, but each has many spellings: names come from clients. */
const maxFormatters = 1_000;
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    era: "short",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  if (formatters.size < maxFormatters) formatters.set(zone, made);
  return made;
}

/** By how much the zone's clocks are ahead of UTC then, in milliseconds. Times are milliseconds since 1970. */
export function zoneOffsetMs(zone: string, ms: number): number {
  if (zone === "UTC") return 0;
  // "1/31/2026 A, 02:30:00": numbers in a fixed order, with the era in between.
  const text = formatterOf(zone).format(ms);
  const [month = 0, day = 0, year = 0, hour = 0, minute = 0, second = 0] = (text.match(/\d+/g) ?? []).map(Number);
  const isBeforeChrist = text.includes("B");
  const shown = Date.UTC(2000, month - 1, day, hour, minute, second);
  const local = new Date(shown).setUTCFullYear(isBeforeChrist ? 1 - year : year, month - 1, day);
  return local - Math.floor(ms / 1000) * 1000;
}

export function civilTime(zone: string, ms: number): CivilTime {
  const local = new Date(ms + zoneOffsetMs(zone, ms));
  return {
    year: local.getUTCFullYear(),
    month: local.getUTCMonth() + 1,
    day: local.getUTCDate(),
    hour: local.getUTCHours(),
    minute: local.getUTCMinutes(),
    second: local.getUTCSeconds(),
    weekday: local.getUTCDay(),
  };
}

/**
 * When the zone's clocks show this; days beyond the month's end count on. Where they show it twice or never, the answer is that of
 * Go's time.Date: it takes the offset that holds at the time that the offset of the same figures in UTC leads to.
 */
export function instantOf(zone: string, civil: { year: number; month: number; day: number; hour: number }): number {
  const asUtc = new Date(Date.UTC(2000, 0, 1, civil.hour)).setUTCFullYear(civil.year, civil.month - 1, civil.day);
  return asUtc - zoneOffsetMs(zone, asUtc - zoneOffsetMs(zone, asUtc));
}

/** As Go's RFC 3339 layout: whole seconds, and the offset, or "Z" where it is zero. */
export function formatTimeIn(zone: string, ms: number): string {
  const offset = zoneOffsetMs(zone, ms);
  const text = new Date(ms + offset).toISOString().slice(0, -5);
  if (offset === 0) return `${text}Z`;
  const minutes = Math.trunc(Math.abs(offset) / 60_000);
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${text}${offset < 0 ? "-" : "+"}${two(Math.trunc(minutes / 60))}:${two(minutes % 60)}`;
}
