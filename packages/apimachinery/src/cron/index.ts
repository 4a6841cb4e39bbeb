export { type CronSchedule, parseCronSchedule, type ParsedSchedule } from "./parse-schedule.js";
export { nextTime } from "./next-time.js";
export { civilTime, formatTimeIn, isTimeZone, localTimeZone, zoneOffsetMs } from "./time-zone.js";
