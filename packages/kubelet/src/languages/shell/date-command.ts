import { type Command, fail, print } from "./shell-process.js";

const days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

const two = (value: number): string => String(value).padStart(2, "0");

/** Conversions of strftime, in UTC as containers have it. */
const conversions: Readonly<Record<string, (time: Date) => string>> = {
  "%": () => "%",
  n: () => "\n",
  t: () => "\t",
  a: (time) => (days[time.getUTCDay()] as string).slice(0, 3),
  A: (time) => days[time.getUTCDay()] as string,
  b: (time) => (months[time.getUTCMonth()] as string).slice(0, 3),
  h: (time) => (months[time.getUTCMonth()] as string).slice(0, 3),
  B: (time) => months[time.getUTCMonth()] as string,
  d: (time) => two(time.getUTCDate()),
  e: (time) => String(time.getUTCDate()).padStart(2),
  m: (time) => two(time.getUTCMonth() + 1),
  y: (time) => two(time.getUTCFullYear() % 100),
  Y: (time) => String(time.getUTCFullYear()),
  H: (time) => two(time.getUTCHours()),
  I: (time) => two(time.getUTCHours() % 12 || 12),
  M: (time) => two(time.getUTCMinutes()),
  S: (time) => two(time.getUTCSeconds()),
  N: (time) => `${String(time.getUTCMilliseconds()).padStart(3, "0")}000000`,
  p: (time) => (time.getUTCHours() < 12 ? "AM" : "PM"),
  s: (time) => String(Math.floor(time.getTime() / 1000)),
  u: (time) => String(time.getUTCDay() || 7),
  w: (time) => String(time.getUTCDay()),
  j: (time) =>
    String(Math.floor((time.getTime() - Date.UTC(time.getUTCFullYear(), 0, 1)) / 86_400_000) + 1).padStart(3, "0"),
  z: () => "+0000",
  Z: () => "UTC",
};

const composed: Readonly<Record<string, string>> = {
  D: "%m/%d/%y",
  F: "%Y-%m-%d",
  T: "%H:%M:%S",
  R: "%H:%M",
  c: "%a %b %e %H:%M:%S %Y",
  x: "%m/%d/%y",
  X: "%H:%M:%S",
};

/** Pure: a time by a format of strftime; what it does not know stays as it is. */
export function formatDate(format: string, time: Date): string {
  const whole = format.replace(/%([DFTRcxX])/g, (_, letter: string) => composed[letter] as string);
  return whole.replace(/%(.)/gs, (all, letter: string) =>
    Object.hasOwn(conversions, letter) ? (conversions[letter]?.(time) ?? all) : all,
  );
}

/** As busybox prints it: `Wed Nov 18 10:50:11 UTC 2026`, or by a format. */
export const date: Command = (args, process) => {
  const time = new Date(process.runtime.clock.now());
  const format = args.find((arg) => arg.startsWith("+"))?.slice(1);
  const iso = args.find((arg) => /^(?:-I|--iso-8601)/.test(arg));
  if (args.some((arg) => arg === "-s" || arg.startsWith("--set")))
    return fail(process, "date: can't set date: Operation not permitted");
  const isoFormat = iso && (/s(?:econds)?$/.test(iso) && iso !== "-I" ? "%Y-%m-%dT%H:%M:%S+00:00" : "%F");
  print(process, `${formatDate(format ?? isoFormat ?? "%a %b %e %H:%M:%S %Z %Y", time)}\n`);
  return 0;
};
