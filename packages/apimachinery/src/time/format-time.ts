import { type Instant, parseMicroTime, parseTime } from "./parse-time.js";

/** Milliseconds since 1970 as metav1.Time writes them: whole seconds in UTC, `2006-01-02T15:04:05Z`. */
export const formatTime = (ms: number): string => `${dateAndTime(ms)}Z`;

/** Milliseconds since 1970, fractions of them included, as metav1.MicroTime writes them: `2006-01-02T15:04:05.000000Z`. */
export function formatMicroTime(ms: number): string {
  const micros = Math.floor((ms - Math.floor(ms / 1000) * 1000) * 1000);
  return `${dateAndTime(ms)}.${String(micros).padStart(6, "0")}Z`;
}

let lastSecond = Number.NaN;
let lastText = "";

/** As `writeDateAndTime`; the same second is written once, since nearly every stamp is of now. */
function dateAndTime(ms: number): string {
  const second = Math.floor(ms / 1000);
  if (second !== lastSecond) [lastSecond, lastText] = [second, writeDateAndTime(second)];
  return lastText;
}

/** `2006-01-02T15:04:05`. Years beyond 9999 have five digits and no sign, as in Go. */
function writeDateAndTime(second: number): string {
  const text = new Date(second * 1000).toISOString();
  return text.slice(0, -5).replace(/^[+-]0*(?=[0-9]{4})/, (sign) => (sign.startsWith("-") ? "-" : ""));
}

/** 0001-01-01T00:00:00Z: Go's zero time, which means that there is none. */
const zeroSeconds = -62_135_596_800;

/**
 * The text that Go writes after reading a metav1.Time: whole seconds in UTC.
 * `null` for the zero time, undefined where the text is no time.
 */
export function canonicalTime(text: string): string | null | undefined {
  if (text.length === 20 && text.charAt(19) === "Z" && isOrdinary(text)) return text;
  const { instant } = parseTime(text);
  if (instant === undefined) return undefined;
  return isZero(instant) ? null : formatTime(instant.seconds * 1000);
}

/** As `canonicalTime`, for a metav1.MicroTime: six decimals in UTC. */
export function canonicalMicroTime(text: string): string | null | undefined {
  const { instant } = parseMicroTime(text);
  if (instant === undefined) return undefined;
  const micros = String(Math.floor(instant.nanoseconds / 1000)).padStart(6, "0");
  return isZero(instant) ? null : `${dateAndTime(instant.seconds * 1000)}.${micros}Z`;
}

const isZero = ({ seconds, nanoseconds }: Instant): boolean => seconds === zeroSeconds && nanoseconds === 0;

/** Whether it begins with a date and time that nothing can be wrong with; the last days of months are left to the parser. */
function isOrdinary(text: string): boolean {
  return (
    text.charAt(4) === "-" &&
    text.charAt(7) === "-" &&
    text.charAt(10) === "T" &&
    text.charAt(13) === ":" &&
    text.charAt(16) === ":" &&
    inRange(text, 0, 1, 99) &&
    inRange(text, 2, 0, 99) &&
    inRange(text, 5, 1, 12) &&
    inRange(text, 8, 1, 28) &&
    inRange(text, 11, 0, 23) &&
    inRange(text, 14, 0, 59) &&
    inRange(text, 17, 0, 59)
  );
}

function inRange(text: string, at: number, least: number, most: number): boolean {
  const tens = text.charCodeAt(at) - 0x30;
  const ones = text.charCodeAt(at + 1) - 0x30;
  const value = tens * 10 + ones;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 && value >= least && value <= most;
}
