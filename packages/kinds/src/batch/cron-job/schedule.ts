import { quoteGo } from "@coxswain/apimachinery/field";
import { isTimeZone } from "./time-zone.js";

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

/** The five fields. Names are counted from the lower bound. */
const fields: readonly Bounds[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"] },
  { min: 0, max: 6, names: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] },
];

const descriptors = new Set(["@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"]);

class ScheduleError extends Error {}

/** What is wrong with a schedule in cron's notation; undefined when nothing is. */
export function scheduleProblem(schedule: string): string | undefined {
  try {
    checkSchedule(schedule);
    return undefined;
  } catch (err) {
    if (err instanceof ScheduleError) return err.message;
    throw err;
  }
}

function checkSchedule(schedule: string): void {
  const zoned = /^(?:CRON_)?TZ=/.exec(schedule)?.[0];
  let rest = schedule;
  if (zoned !== undefined) {
    const blank = schedule.indexOf(" ");
    // Upstream's parser fails on such a text in a way of its own.
    if (blank < 0) throw new ScheduleError(`invalid schedule format: runtime error: slice bounds out of range [:-1]`);
    const zone = schedule.slice(zoned.length, blank);
    if (zone !== "" && zone !== "Local" && !isTimeZone(zone))
      throw new ScheduleError(`provided bad location ${zone}: unknown time zone ${zone}`);
    rest = schedule.slice(blank).trim();
  }
  if (rest.startsWith("@")) return checkDescriptor(rest);
  const parts = rest.split(/\s+/).filter((part) => part !== "");
  if (parts.length !== fields.length)
    throw new ScheduleError(`expected exactly ${fields.length} fields, found ${parts.length}: [${parts.join(" ")}]`);
  for (const [at, part] of parts.entries()) {
    const bounds = fields[at];
    if (bounds) for (const range of part.split(",")) if (range !== "") checkRange(range, bounds);
  }
}

function checkDescriptor(text: string): void {
  if (descriptors.has(text)) return;
  const every = "@every ";
  if (!text.startsWith(every)) throw new ScheduleError(`unrecognized descriptor: ${text}`);
  const duration = text.slice(every.length);
  if (!/^[-+]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/.test(duration))
    throw new ScheduleError(`failed to parse duration ${text}: time: invalid duration ${quoteGo(duration)}`);
}

function checkRange(range: string, { min, max, names }: Bounds): void {
  const [span = "", ...steps] = range.split("/");
  const limits = span.split("-");
  let [start, end] = [min, max];
  if (limits[0] !== "*" && limits[0] !== "?") {
    start = readNumber(limits[0] ?? "", min, names);
    if (limits.length > 2) throw new ScheduleError(`too many hyphens: ${range}`);
    end = limits.length === 1 ? start : readNumber(limits[1] ?? "", min, names);
  }
  if (steps.length > 1) throw new ScheduleError(`too many slashes: ${range}`);
  const step = steps[0] === undefined ? 1 : readNumber(steps[0], min, undefined);
  if (steps.length === 1 && limits.length === 1) end = max;
  if (start < min) throw new ScheduleError(`beginning of range (${start}) below minimum (${min}): ${range}`);
  if (end > max) throw new ScheduleError(`end of range (${end}) above maximum (${max}): ${range}`);
  if (start > end) throw new ScheduleError(`beginning of range (${start}) beyond end of range (${end}): ${range}`);
  if (step === 0) throw new ScheduleError(`step of range should be a positive number: ${range}`);
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
