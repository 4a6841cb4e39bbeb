import { type Marker, markerError } from "./read-doc.js";

/**
 * Reads `name=value other="quoted value" flag`: a value in quotes is JSON text, one without ends at the next blank.
 * A word without "=" is a flag ("true"), or, where it comes first and `leading` names it, that argument's value.
 */
export function readArguments(
  marker: Marker,
  allowed: readonly string[],
  leading?: string,
): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  const token = /\s*(?:([A-Za-z]\w*)=)?("(?:[^"\\]|\\.)*"|[^\s"]+)/y;
  let end = 0;
  while (end < marker.text.length) {
    token.lastIndex = end;
    const match = token.exec(marker.text);
    if (!match)
      throw markerError(
        marker,
        `"${marker.text.slice(end).trim()}" cannot be read: write name=value or name="some words"`,
      );
    end = token.lastIndex;
    const value = match[2]!.startsWith('"') ? unquote(marker, match[2]!) : match[2]!;
    const isLeading = match[1] === undefined && values.size === 0 && leading !== undefined;
    const name = isLeading ? leading : (match[1] ?? value);
    if (!allowed.includes(name))
      throw markerError(marker, `"${name}" is unknown here; there are ${allowed.join(", ")}`);
    values.set(name, match[1] === undefined && !isLeading ? "true" : value);
  }
  return values;
}

function unquote(marker: Marker, text: string): string {
  try {
    return JSON.parse(text) as string;
  } catch {
    throw markerError(marker, `${text} is no JSON text`);
  }
}

/** `a,b` or `a;b`. */
export const splitList = (text: string): string[] =>
  text
    .split(/[,;]/)
    .map((item) => item.trim())
    .filter((item) => item !== "");

export function readInteger(marker: Marker): number {
  const value = Number(marker.text);
  if (marker.text === "" || !Number.isInteger(value)) throw markerError(marker, `"${marker.text}" is no whole number`);
  return value;
}

export function readNumber(marker: Marker): number {
  const value = Number(marker.text);
  if (marker.text === "" || !Number.isFinite(value)) throw markerError(marker, `"${marker.text}" is no number`);
  return value;
}

/** JSON; or, where `textAllowed`, any other text as itself: `@default Always`. */
export function readJson(marker: Marker, textAllowed: boolean): unknown {
  try {
    return JSON.parse(marker.text) as unknown;
  } catch {
    if (textAllowed && marker.text !== "") return marker.text;
    throw markerError(marker, `"${marker.text}" is no JSON`);
  }
}
