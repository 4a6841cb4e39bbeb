import { type FunctionDeclaration, type Overload } from "../declarations/function-declaration.js";
import { durationType, intType, stringType, timestampType } from "../types/type.js";
import { intOf } from "../values/int.js";
import { CelError, type Duration, type Timestamp, type Value } from "../values/value.js";
import { inZone, type ZonedTime } from "./zoned-time.js";

interface TimeGetter {
  readonly name: string;
  /** The overload's id; with a zone it has a suffix, `_tz` or `_with_tz`. */
  readonly id: string;
  readonly zonedId?: string;
  readonly read: (time: ZonedTime) => number;
  /** The same of a duration: its id, and how many nanoseconds make one. */
  readonly duration?: readonly [string, bigint];
}

const getters: readonly TimeGetter[] = [
  { name: "getFullYear", id: "timestamp_to_year", read: (time) => time.year },
  { name: "getMonth", id: "timestamp_to_month", read: (time) => time.month },
  { name: "getDayOfYear", id: "timestamp_to_day_of_year", read: (time) => time.dayOfYear },
  { name: "getDayOfMonth", id: "timestamp_to_day_of_month", read: (time) => time.day - 1 },
  { name: "getDate", id: "timestamp_to_day_of_month_1_based", read: (time) => time.day },
  { name: "getDayOfWeek", id: "timestamp_to_day_of_week", read: (time) => time.weekday },
  {
    name: "getHours",
    id: "timestamp_to_hours",
    read: (time) => time.hour,
    duration: ["duration_to_hours", 3_600_000_000_000n],
  },
  {
    name: "getMinutes",
    id: "timestamp_to_minutes",
    read: (time) => time.minute,
    duration: ["duration_to_minutes", 60_000_000_000n],
  },
  {
    name: "getSeconds",
    id: "timestamp_to_seconds",
    zonedId: "timestamp_to_seconds_tz",
    read: (time) => time.second,
    duration: ["duration_to_seconds", 1_000_000_000n],
  },
  {
    name: "getMilliseconds",
    id: "timestamp_to_milliseconds",
    read: (time) => time.millisecond,
    duration: ["duration_to_milliseconds", 1_000_000n],
  },
];

function declare({ name, id, zonedId, read, duration }: TimeGetter): FunctionDeclaration {
  const get = (timestamp: Value | undefined, zone: Value | undefined): Value => {
    const time = inZone(timestamp as Timestamp, zone as string);
    return time instanceof CelError ? time : read(time);
  };
  const overloads: Overload[] = [
    {
      id,
      args: [timestampType],
      result: intType,
      isMember: true,
      implementation: (timestamp) => get(timestamp, "UTC"),
    },
    {
      id: zonedId ?? `${id}_with_tz`,
      args: [timestampType, stringType],
      result: intType,
      isMember: true,
      implementation: get,
    },
  ];
  if (duration !== undefined) {
    const [durationId, unit] = duration;
    overloads.push({
      id: durationId,
      args: [durationType],
      result: intType,
      isMember: true,
      implementation: (value) => intOf((value as Duration).nanoseconds / unit) as Value,
    });
  }
  return { name, overloads };
}

/** The parts of timestamps, in UTC or in a zone, and of durations. */
export const timeFunctions: readonly FunctionDeclaration[] = getters.map(declare);
