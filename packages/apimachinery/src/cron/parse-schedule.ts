import { quoteGo } from "../text/index.js";
import { parseDuration } from "../time/index.js";
import { isTimeZone } from "./time-zone.js";

/** When something happens again and again: at times of the calendar, or so many seconds after the last time. */
export type CronSchedule =
  | { readonly kind: "every"; readonly seconds: number }
  | {
      readonly kind: "calendar";
      readonly minutes: ReadonlySet<number>;
      readonly hours: ReadonlySet<number>;
      readonly days: ReadonlySet<number>;
      readonly months: ReadonlySet<number>;
      readonly weekdays: ReadonlySet<number>;
      /** Days and weekdays both restrict where one of them is a star; else one of them is enough. */
      readonly isAnyDay: boolean;
      /** Undefined: the zone of the caller. */
      readonly zone: string | undefined;
    };

export type ParsedSchedule =
  | { readonly schedule: CronSchedule; readonly problem?: never }
  | { readonly schedule?: never; readonly problem: string };

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

/** The five fields. Names are counted from the lower bound. */
const bounds = {
  minutes: { min: 0, max: 59 },
  hours: { min: 0, max: 23 },
  days: { min: 1, max: 31 },
  months: {
    min: 1,
    max: 12,
    names: ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"],
  },
  weekdays: { min: 0, max: 6, names: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] },
} satisfies Record<string, Bounds>;

const descriptors: ReadonlyMap<string, string> = new Map([
  ["@yearly", "0 0 1 1 *"],
  ["@annually", "0 0 1 1 *"],
  ["@monthly", "0 0 1 * *"],
  ["@weekly", "0 0 * * 0"],
  ["@daily", "0 0 * * *"],
  ["@midnight", "0 0 * * *"],
  ["@hourly", "0 * * * *"],
]);

class ScheduleError extends Error {}

/** Reads a schedule in cron's notation as robfig/cron v3 does: five fields, `@hourly` and its like, `@every 1h30m`, `TZ=` in front. */
export function parseCronSchedule(text: string): ParsedSchedule {
  try {
    return { schedule: readSchedule(text) };
  } catch (err) {
    if (err instanceof ScheduleError) return { problem: err.message };
    throw err;
  }
}

function readSchedule(text: string): CronSchedule {
  if (text === "") throw new ScheduleError("empty spec string");
  const prefix = /^(?:CRON_)?TZ=/.exec(text)?.[0];
  if (prefix === undefined) return readZoned(text, undefined);
  const blank = text.indexOf(" ");
  // Upstream's parser fails on such a text in a way of its own.
  if (blank < 0) throw new ScheduleError("invalid schedule format: runtime error: slice bounds out of range [:-1]");
  const zone = text.slice(prefix.length, blank);
  if (zone !== "" && zone !== "Local" && !isTimeZone(zone))
    throw new ScheduleError(`provided bad location ${zone}: unknown time zone ${zone}`);
  const rest = text.slice(blank).trim();
  return readZoned(rest, zone === "Local" ? undefined : zone || "UTC");
}

function readZoned(text: string, zone: string | undefined): CronSchedule {
  if (text.startsWith("@every ")) return readEvery(text);
  const known = descriptors.get(text);
  if (known === undefined && text.startsWith("@")) throw new ScheduleError(`unrecognized descriptor: ${text}`);
  const parts = (known ?? text).split(/\s+/).filter((part) => part !== "");
  if (parts.length !== 5)
    throw new ScheduleError(`expected exactly 5 fields, found ${parts.length}: [${parts.join(" ")}]`);
  const [minutes, hours, days, months, weekdays] = (["minutes", "hours", "days", "months", "weekdays"] as const).map(
    (name, at) => readField(parts[at] ?? "", bounds[name]),
  ) as [Field, Field, Field, Field, Field];
  return {
    kind: "calendar",
    minutes: minutes.values,
    hours: hours.values,
    days: days.values,
    months: months.values,
    weekdays: weekdays.values,
    isAnyDay: days.hasStar || weekdays.hasStar,
    zone,
  };
}

/** Whole seconds, at least one. */
function readEvery(text: string): CronSchedule {
  const { nanoseconds, error } = parseDuration(text.slice("@every ".length));
  if (nanoseconds === undefined) throw new ScheduleError(`failed to parse duration ${text}: ${error}`);
  return { kind: "every", seconds: Math.max(1, Number(nanoseconds / 1_000_000_000n)) };
}

interface Field {
  readonly values: ReadonlySet<number>;
  readonly hasStar: boolean;
}

function readField(text: string, limits: Bounds): Field {
  const values = new Set<number>();
  let hasStar = false;
  for (const range of text.split(",")) {
    if (range === "") continue;
    const { start, end, step, isStar } = readRange(range, limits);
    for (let value = start; value <= end; value += step) values.add(value);
    hasStar ||= isStar;
  }
  return { values, hasStar };
}

function readRange(range: string, { min, max, names }: Bounds) {
  const [span = "", ...steps] = range.split("/");
  const limits = span.split("-");
  const isAll = limits[0] === "*" || limits[0] === "?";
  let [start, end] = [min, max];
  if (!isAll) {
    start = readNumber(limits[0] ?? "", min, names);
    if (limits.length > 2) throw new ScheduleError(`too many hyphens: ${range}`);
    end = limits.length === 1 ? start : readNumber(limits[1] ?? "", min, names);
  }
  if (steps.length > 1) throw new ScheduleError(`too many slashes: ${range}`);
  const step = steps[0] === undefined ? 1 : readNumber(steps[0], min, undefined);
  // "5/10" is "5-59/10".
  if (steps.length === 1 && limits.length === 1) end = max;
  if (start < min) throw new ScheduleError(`beginning of range (${start}) below minimum (${min}): ${range}`);
  if (end > max) throw new ScheduleError(`end of range (${end}) above maximum (${max}): ${range}`);
  if (start > end) throw new ScheduleError(`beginning of range (${start}) beyond end of range (${end}): ${range}`);
  if (step === 0) throw new ScheduleError(`step of range should be a positive number: ${range}`);
  return { start, end, step, isStar: isAll && step === 1 };
}

function readNumber(text: string, min: number, names: readonly string[] | undefined): number {
  const named = names?.indexOf(text.toLowerCase()) ?? -1;
  if (named >= 0) return named + min;
  if (!/^[-+]?\d+$/.test(text))
    throw new ScheduleError(`failed to parse int from ${text}: strconv.Atoi: parsing ${quoteGo(text)}: invalid syntax`);
  if (!Number.isSafeInteger(Number(text)))
    throw new ScheduleError(
      `failed to parse int from ${text}: strconv.Atoi: parsing ${quoteGo(text)}: value out of range`,
    );
  const value = Number(text);
  if (value < 0) throw new ScheduleError(`negative number (${value}) not allowed: ${text}`);
  return value;
}
