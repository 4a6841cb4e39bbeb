/** "2006-01-02T15:04:05Z": nothing to rewrite. */
function isCanonicalTime(text: string): boolean {
  if (text.length !== 20) return false;
  const two = (at: number): number => {
    const tens = text.charCodeAt(at) - 0x30;
    const ones = text.charCodeAt(at + 1) - 0x30;
    return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : 1000;
  };
  if (text[4] !== "-" || text[7] !== "-" || text[10] !== "T" || text[13] !== ":" || text[16] !== ":" || text[19] !== "Z") return false;
  const month = two(5);
  const day = two(8);
  return (
    two(0) < 100 && two(2) < 100 && two(0) + two(2) > 0 && month >= 1 && month <= 12 && day >= 1 && day <= 28 && two(11) < 24 && two(14) < 60 && two(17) < 60
  );
}

const rfc3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d{1,2}):(\d\d):(\d\d)(?:[.,](\d+))?(Z|[+-]\d\d:\d\d)$/;

interface Instant {
  /** Seconds since 1970. */
  readonly seconds: number;
  readonly nanoseconds: number;
}

export function parseInstant(text: string): Instant | undefined {
  const [match, year = "", month = "", day = "", hour = "", minute = "", second = "", fraction = "", zone = ""] = rfc3339.exec(text) ?? [];
  if (match === undefined) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (date.getUTCMonth() !== Number(month) - 1 || Number(day) === 0 || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  date.setUTCHours(Number(hour), Number(minute), Number(second));
  const offset = zone === "Z" ? 0 : (zone[0] === "-" ? -60 : 60) * (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4)));
  return { seconds: date.getTime() / 1000 - offset, nanoseconds: Number(fraction.slice(0, 9).padEnd(9, "0")) };
}

const zeroSeconds = -62_135_596_800; // 0001-01-01T00:00:00Z, which Go takes for "not set"

/** The text Go would write: whole seconds in UTC. null: the zero time. undefined: no time. */
export function canonicalTime(text: string): string | null | undefined {
  if (isCanonicalTime(text) && text !== "0001-01-01T00:00:00Z") return text;
  const instant = parseInstant(text);
  if (!instant) return undefined;
  return instant.seconds === zeroSeconds && instant.nanoseconds === 0 ? null : `${formatSeconds(instant.seconds)}Z`;
}

/** The text Go would write: six decimals in UTC. null: the zero time. undefined: no time, or not exactly six decimals. */
export function canonicalMicroTime(text: string): string | null | undefined {
  if (text.length === 27 && !text.startsWith("0001-01-01") && text[19] === "." && text[26] === "Z" && /^\d{6}$/.test(text.slice(20, 26)) && isCanonicalTime(`${text.slice(0, 19)}Z`)) return text;
  const fraction = /[.,](\d+)/.exec(text)?.[1];
  const instant = fraction?.length === 6 ? parseInstant(text) : undefined;
  if (!instant) return undefined;
  if (instant.seconds === zeroSeconds && instant.nanoseconds === 0) return null;
  return `${formatSeconds(instant.seconds)}.${String(Math.floor(instant.nanoseconds / 1000)).padStart(6, "0")}Z`;
}

export const formatSeconds = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 19);
