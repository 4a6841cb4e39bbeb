import type { CronSchedule } from "./parse-schedule.js";
import { type CivilTime, civilTime, instantOf } from "./time-zone.js";

type Calendar = Extract<CronSchedule, { kind: "calendar" }>;

const minuteMs = 60_000;
const hourMs = 3_600_000;
/** What does not happen within so many years never does: February 30. */
const yearsAhead = 5;

/**
 * When the schedule is next due after `after`, both in milliseconds since 1970. Undefined: not within five years.
 *
 * Where clocks are changed it does what robfig/cron v3 does: hours are added to the time itself, so that a time which clocks skip is
 * skipped too, and one which they show twice comes twice.
 */
export function nextTime(schedule: CronSchedule, after: number, localZone: string): number | undefined {
  const second = Math.floor(after / 1000) * 1000;
  if (schedule.kind === "every") return second + schedule.seconds * 1000;
  const zone = schedule.zone ?? localZone;
  // Seconds are always zero.
  let at = Math.ceil((second + 1000) / minuteMs) * minuteMs;
  const lastYear = civilTime(zone, second + 1000).year + yearsAhead;
  let isReset = false;
  /** To the beginning of the unit that does not match, once. */
  const reset = (to: () => number): void => {
    if (!isReset) at = to();
    isReset = true;
  };
  for (;;) {
    let civil = civilTime(zone, at);
    if (civil.year > lastYear) return undefined;
    if (!schedule.months.has(civil.month)) {
      reset(() => instantOf(zone, { ...civil, day: 1, hour: 0 }));
      at = sameClock(zone, at, { months: 1 });
      continue;
    }
    if (!isDueOn(schedule, civil)) {
      reset(() => instantOf(zone, { ...civil, hour: 0 }));
      at = sameClock(zone, at, { days: 1 });
      civil = civilTime(zone, at);
      // Where clocks are changed at midnight there is none.
      if (civil.hour !== 0) at += (civil.hour > 12 ? 24 - civil.hour : -civil.hour) * hourMs;
      continue;
    }
    if (!schedule.hours.has(civil.hour)) {
      reset(() => instantOf(zone, civil));
      at += hourMs;
      continue;
    }
    if (!schedule.minutes.has(civil.minute)) {
      isReset = true;
      at += minuteMs;
      continue;
    }
    return at;
  }
}

/** The same hour on another date. */
function sameClock(zone: string, ms: number, { months = 0, days = 0 }: { months?: number; days?: number }): number {
  const { year, month, day, hour } = civilTime(zone, ms);
  return instantOf(zone, { year, month: month + months, day: day + days, hour });
}

function isDueOn({ days, weekdays, isAnyDay }: Calendar, { day, weekday }: CivilTime): boolean {
  return isAnyDay ? days.has(day) && weekdays.has(weekday) : days.has(day) || weekdays.has(weekday);
}
