import { formatSeconds, microTimeLayout, parseGoTime, timeLayout } from "./go-time.js";

const zeroSeconds = -62_135_596_800; // 0001-01-01T00:00:00Z, which Go takes for "not set"

/** The text Go would write: whole seconds in UTC. null: the zero time. undefined: no time. */
export function canonicalTime(text: string): string | null | undefined {
  if (text.length === 20 && text[19] === "Z" && isPlain(text)) return text;
  const parsed = parseGoTime(text, timeLayout);
  if ("error" in parsed) return undefined;
  const { seconds, nanoseconds } = parsed.instant;
  return seconds === zeroSeconds && nanoseconds === 0 ? null : `${formatSeconds(seconds)}Z`;
}

/** The text Go would write: six decimals in UTC. null: the zero time. undefined: no time, or not exactly six decimals. */
export function canonicalMicroTime(text: string): string | null | undefined {
  if (text.length === 27 && text[26] === "Z" && isPlain(text) && /^\.\d{6}$/.test(text.slice(19, 26))) return text;
  const parsed = parseGoTime(text, microTimeLayout);
  if ("error" in parsed) return undefined;
  const { seconds, nanoseconds } = parsed.instant;
  if (seconds === zeroSeconds && nanoseconds === 0) return null;
  return `${formatSeconds(seconds)}.${String(Math.floor(nanoseconds / 1000)).padStart(6, "0")}Z`;
}

/** Whether the text begins with a date and time that needs no second look: after the year 99, before the 29th. */
function isPlain(text: string): boolean {
  if (text[4] !== "-" || text[7] !== "-" || text[10] !== "T" || text[13] !== ":" || text[16] !== ":") return false;
  const century = two(text, 0);
  const month = two(text, 5);
  const day = two(text, 8);
  return (
    century > 0 && century < 100 && two(text, 2) < 100 && month > 0 && month < 13 && day > 0 && day < 29 && two(text, 11) < 24 && two(text, 14) < 60 && two(text, 17) < 60
  );
}

/** The number of the two digits at `at`, or one that is out of every range. */
function two(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 0x30;
  const ones = text.charCodeAt(at + 1) - 0x30;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : 1000;
}
