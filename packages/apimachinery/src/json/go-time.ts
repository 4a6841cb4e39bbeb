import { encodeUtf8 } from "./utf8.js";

/** An instant as Go holds it. */
export interface Instant {
  /** Since 1970, in whole seconds. */
  readonly seconds: number;
  readonly nanoseconds: number;
}

export const timeLayout = "2006-01-02T15:04:05Z07:00";
export const microTimeLayout = "2006-01-02T15:04:05.000000Z07:00";

/** An instant, or what Go's `time.Parse` says of the text. */
export type ParsedTime = { readonly instant: Instant } | { readonly error: string };

const chunks = ["2006", "-", "01", "-", "02", "T", "15", ":", "04", ":", "05"];
const ranges = new Map([
  ["01", { least: 1, most: 12, name: "month" }],
  ["15", { least: 0, most: 23, name: "hour" }],
  ["04", { least: 0, most: 59, name: "minute" }],
  ["05", { least: 0, most: 59, name: "second" }],
]);

/** Reads RFC 3339 as leniently as Go: an hour of one digit, any fraction of a second where the layout has none. */
export function parseGoTime(text: string, layout: typeof timeLayout | typeof microTimeLayout): ParsedTime {
  const fail = (element: string, rest: string): ParsedTime => ({
    error: `parsing time ${timeQuote(text)} as ${timeQuote(layout)}: cannot parse ${timeQuote(rest)} as ${timeQuote(element)}`,
  });
  const outOfRange = (what: string): ParsedTime => ({ error: `parsing time ${timeQuote(text)}: ${what} out of range` });
  const numbers: number[] = [];
  let rest = text;
  for (const chunk of chunks) {
    const digits = chunk === "2006" ? 4 : chunk.length;
    const found = digits === 1 ? undefined : chunk === "2006" ? /^\d{4}/.exec(rest) : chunk === "15" ? /^\d\d?/.exec(rest) : /^\d\d/.exec(rest);
    if (digits === 1 ? !rest.startsWith(chunk) : !found) return fail(chunk, rest);
    const range = ranges.get(chunk);
    const number = Number(found?.[0]);
    if (range && (number < range.least || number > range.most)) return outOfRange(range.name);
    if (found) numbers.push(number);
    rest = rest.slice(found?.[0].length ?? 1);
  }
  const fraction = layout === microTimeLayout ? /^[.,](\d{6})/.exec(rest) : /^[.,](\d+)/.exec(rest);
  if (!fraction && layout === microTimeLayout) return fail(".000000", rest);
  rest = rest.slice(fraction?.[0].length ?? 0);
  const zone = /^(?:Z|([+-])(\d\d):(\d\d))/.exec(rest);
  if (!zone) return fail("Z07:00", rest);
  const [, sign = "", hours = "0", minutes = "0"] = zone;
  if (Number(hours) > 24) return outOfRange("time zone offset hour");
  if (Number(minutes) > 60) return outOfRange("time zone offset minute");
  rest = rest.slice(zone[0].length);
  if (rest !== "") return { error: `parsing time ${timeQuote(text)}: extra text: ${timeQuote(rest)}` };
  const seconds = secondsOf(numbers);
  if (seconds === undefined) return outOfRange("day");
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -60 : 60);
  return { instant: { seconds: seconds - offset, nanoseconds: Number((fraction?.[1] ?? "").slice(0, 9).padEnd(9, "0")) } };
}

function secondsOf([year = 0, month = 1, day = 0, hour = 0, minute = 0, second = 0]: readonly number[]): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (day === 0 || date.getUTCMonth() !== month - 1) return undefined;
  return date.setUTCHours(hour, minute, second) / 1000;
}

/** "2006-01-02T15:04:05", in UTC. */
export function formatSeconds(seconds: number): string {
  const text = new Date(seconds * 1000).toISOString();
  return text.slice(0, text.length - 5).replace(/^[+-]0*(?=\d{4,})/, (sign) => (sign.startsWith("-") ? "-" : ""));
}

/** Go's time package quotes in its own way: everything outside of ASCII as bytes. */
export function timeQuote(text: string): string {
  let quoted = "";
  for (const byte of encodeUtf8(text)) {
    if (byte >= 0x80 || byte < 0x20) quoted += `\\x${byte.toString(16).padStart(2, "0")}`;
    else quoted += byte === 0x22 || byte === 0x5c ? `\\${String.fromCharCode(byte)}` : String.fromCharCode(byte);
  }
  return `"${quoted}"`;
}
