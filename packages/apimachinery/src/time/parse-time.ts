import { quoteTime } from "./go-time-quote.js";

/** A point in time, as exact as Go holds it. */
export interface Instant {
  /** Whole seconds since 1970 UTC; negative before. */
  readonly seconds: number;
  /** 0 to 999,999,999, later than `seconds`. */
  readonly nanoseconds: number;
}

/** An instant, or the error of Go's time.Parse. */
export type ParsedTime =
  | { readonly instant: Instant; readonly error?: never }
  | { readonly instant?: never; readonly error: string };

/** metav1.Time: RFC 3339, any fraction of a second, and as lenient as Go: `T5:04:05,5Z` is fine. */
export const parseTime = (text: string): ParsedTime => new TimeReader(text, "2006-01-02T15:04:05Z07:00").read();

/** metav1.MicroTime: RFC 3339 with exactly six decimals. */
export const parseMicroTime = (text: string): ParsedTime =>
  new TimeReader(text, "2006-01-02T15:04:05.000000Z07:00").read();

/** Milliseconds since 1970, or undefined where the text is no time. Finer parts are cut off. */
export function parseTimeMs(text: string): number | undefined {
  const { instant } = parseTime(text);
  return instant && instant.seconds * 1000 + Math.floor(instant.nanoseconds / 1e6);
}

/** Carries the message out of the reader; no caller sees it. */
class TimeProblem extends Error {}

class TimeReader {
  readonly #text: string;
  readonly #layout: string;
  #rest: string;

  constructor(text: string, layout: string) {
    this.#text = text;
    this.#layout = layout;
    this.#rest = text;
  }

  read(): ParsedTime {
    try {
      return { instant: this.#instant() };
    } catch (error) {
      if (error instanceof TimeProblem) return { error: error.message };
      throw error;
    }
  }

  #instant(): Instant {
    const year = this.#number("2006", /^[0-9]{4}/);
    this.#separator("-");
    const month = this.#number("01", /^[0-9]{2}/, { least: 1, most: 12, name: "month" });
    this.#separator("-");
    const day = this.#number("02", /^[0-9]{2}/);
    this.#separator("T");
    const hour = this.#number("15", /^[0-9]{1,2}/, { least: 0, most: 23, name: "hour" });
    this.#separator(":");
    const minute = this.#number("04", /^[0-9]{2}/, { least: 0, most: 59, name: "minute" });
    this.#separator(":");
    const second = this.#number("05", /^[0-9]{2}/, { least: 0, most: 59, name: "second" });
    const nanoseconds = this.#layout.includes(".") ? this.#sixDecimals() : this.#anyDecimals();
    const offset = this.#zone();
    if (this.#rest !== "") throw this.#problem(`: extra text: ${quoteTime(this.#rest)}`);
    const seconds = secondsOfDay(year, month, day);
    if (seconds === undefined) throw this.#problem(": day out of range");
    return { seconds: seconds + hour * 3600 + minute * 60 + second - offset, nanoseconds };
  }

  #number(element: string, form: RegExp, range?: { least: number; most: number; name: string }): number {
    const digits = form.exec(this.#rest)?.[0];
    if (digits === undefined) throw this.#unread(element);
    this.#rest = this.#rest.slice(digits.length);
    const value = Number(digits);
    if (range && (value < range.least || value > range.most)) throw this.#problem(`: ${range.name} out of range`);
    return value;
  }

  #separator(separator: string): void {
    if (!this.#rest.startsWith(separator)) throw this.#unread(separator);
    this.#rest = this.#rest.slice(1);
  }

  /** Digits finer than a nanosecond are ignored. */
  #anyDecimals(): number {
    const [whole = "", digits = ""] = /^[.,]([0-9]+)/.exec(this.#rest) ?? [];
    this.#rest = this.#rest.slice(whole.length);
    return Number(digits.slice(0, 9).padEnd(9, "0"));
  }

  /** Go reads these six as a number and so accepts a sign among them. */
  #sixDecimals(): number {
    const [whole, digits = ""] = /^[.,]([+-]?[0-9]{5,6})/.exec(this.#rest) ?? [];
    if (whole?.length !== 7) throw this.#unread(".000000");
    if (Number(digits) < 0) throw this.#problem(": fractional second out of range");
    this.#rest = this.#rest.slice(7);
    return Number(digits) * 1000;
  }

  /** Seconds east of UTC. Go allows offsets of 24 hours and of 60 minutes. */
  #zone(): number {
    if (this.#rest.startsWith("Z")) {
      this.#rest = this.#rest.slice(1);
      return 0;
    }
    const [whole, sign, hours, minutes] = /^([^])([0-9]{2}):([0-9]{2})/.exec(this.#rest) ?? [];
    if (whole === undefined) throw this.#unread("Z07:00");
    if (Number(hours) > 24) throw this.#problem(": time zone offset hour out of range");
    if (Number(minutes) > 60) throw this.#problem(": time zone offset minute out of range");
    if (sign !== "+" && sign !== "-") throw this.#unread("Z07:00");
    this.#rest = this.#rest.slice(6);
    return (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -60 : 60);
  }

  #unread(element: string): TimeProblem {
    return this.#problem(
      ` as ${quoteTime(this.#layout)}: cannot parse ${quoteTime(this.#rest)} as ${quoteTime(element)}`,
    );
  }

  #problem(words: string): TimeProblem {
    return new TimeProblem(`parsing time ${quoteTime(this.#text)}${words}`);
  }
}

/** The first second of a day; undefined where the month has no such day. */
function secondsOfDay(year: number, month: number, day: number): number | undefined {
  // Years below 100 would mean 19xx to Date.UTC, so they are moved by a whole cycle of the calendar.
  const cycle = year < 100 ? 400 : 0;
  const date = new Date(Date.UTC(year + cycle, month - 1, day));
  if (day === 0 || date.getUTCMonth() !== month - 1) return undefined;
  return date.getTime() / 1000 - (cycle === 0 ? 0 : 146_097 * 86_400);
}
