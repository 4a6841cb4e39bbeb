import { encodeUtf8 } from "../json/index.js";
import { resolveScalar } from "./resolve-scalar.js";

export type ScalarStyle = "plain" | "single" | "double" | "literal";

/** What go-yaml asks of a text before it chooses how to write it. */
interface ScalarFacts {
  readonly multiline: boolean;
  readonly plainAllowed: boolean;
  readonly singleAllowed: boolean;
  readonly literalAllowed: boolean;
}

const base60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;
/**
 * Not printable by YAML 1.1, or beyond what go-yaml writes raw. The line separators of Unicode are added here: go-yaml writes them raw,
 * and readers of YAML 1.1 and 1.2 then see different texts.
 */
export const special = /[^\n\x20-\x7e\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]/;

/** A key is simple if it fits before a colon in one line; others are written with `?`. */
export function isSimpleKey(text: string): boolean {
  return !text.includes("\n") && encodeUtf8(text).length <= 128;
}

export function scalarStyle(text: string, simpleKey: boolean): ScalarStyle {
  const facts = factsOf(text);
  const style = wanted(text, simpleKey);
  if (style === "literal") return facts.literalAllowed && !simpleKey ? "literal" : "double";
  if (style === "double" || (simpleKey && facts.multiline)) return "double";
  if (facts.plainAllowed && !(text === "" && simpleKey)) return "plain";
  return facts.singleAllowed ? "single" : "double";
}

/**
 * Quotes where a plain text would be read as something else (or by others as a number of base 60), a block where there
 * are lines. A key `<<` is quoted, which go-yaml forgets.
 */
function wanted(text: string, key: boolean): "plain" | "double" | "literal" {
  if (text.includes("\n")) return "literal";
  return resolveScalar(text, "").tag === "!!str" && !isTimestamp(text) && !base60.test(text) && !(key && text === "<<")
    ? "plain"
    : "double";
}

/** What go-yaml would take for a time. */
function isTimestamp(text: string): boolean {
  const match =
    /^(\d{4})-(\d\d?)-(\d\d?)(?:[Tt](\d\d?):(\d\d?):(\d\d?)(?:[.,]\d+)?(?:Z|[+-](\d\d):(\d\d))| (\d\d?):(\d\d?):(\d\d?)(?:[.,]\d+)?)?$/.exec(
      text,
    );
  if (!match) return false;
  const [
    year = 0,
    month = 0,
    day = 0,
    hour = 0,
    minute = 0,
    second = 0,
    zoneHour = 0,
    zoneMinute = 0,
    hour2 = 0,
    minute2 = 0,
    second2 = 0,
  ] = match.slice(1).map((part) => Number(part ?? 0));
  if (
    month < 1 ||
    month > 12 ||
    day < 1 ||
    Math.max(hour, hour2) > 23 ||
    Math.max(minute, minute2, second, second2) > 59 ||
    zoneHour > 24 ||
    zoneMinute > 60
  )
    return false;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1;
}

function factsOf(text: string): ScalarFacts {
  if (text === "") return { multiline: false, plainAllowed: true, singleAllowed: true, literalAllowed: false };
  const multiline = text.includes("\n");
  const strange = special.test(text) || text.includes(" \n");
  return {
    multiline,
    plainAllowed: !multiline && !text.startsWith(" ") && !text.endsWith(" ") && !strange && !hasIndicator(text),
    singleAllowed: !strange && !text.includes("\n "),
    literalAllowed: !strange && !text.endsWith(" "),
  };
}

/** Characters that mean something to YAML at the place where they stand. */
function hasIndicator(text: string): boolean {
  return /^(?:---|\.\.\.)|^[#,[\]{}&*!|>'"%@`]|^[?:-](?: |$)|:(?: |$)| #/.test(text);
}
