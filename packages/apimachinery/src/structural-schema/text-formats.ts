import { utf8Length } from "../text/utf8-order.js";
import { parseDuration } from "../time/duration.js";
import { isRequestUri } from "../validation/go-url.js";
import { parseCidr, parseIp } from "../validation/ip-address.js";
import { isMailAddress } from "./mail-address.js";

/** Whether values are checked by a format of this name; dashes in it do not count. */
export const isTextFormat = (format: string): boolean => checks.has(plainName(format));

/** Whether a text has the format; one that nobody knows every text has. */
export const matchesTextFormat = (text: string, format: string): boolean =>
  checks.get(plainName(format))?.(text) ?? true;

const plainName = (format: string): string => format.replaceAll("-", "");

const matches =
  (pattern: RegExp) =>
  (text: string): boolean =>
    pattern.test(text);

const uuid = (version: string, variant = "[0-9a-f]"): ((text: string) => boolean) =>
  matches(new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${version}[0-9a-f]{3}-?${variant}[0-9a-f]{3}-?[0-9a-f]{12}$`, "i"));

const color = "[\\t\\n\\f\\r ]*(?:0|[1-9][0-9]?|1[0-9][0-9]?|2[0-4][0-9]|25[0-5])[\\t\\n\\f\\r ]*";
const shortName = "[a-z0-9](?:[-a-z0-9]*[a-z0-9])?";

/** By the name without dashes. */
const checks: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ["bsonobjectid", matches(/^[0-9a-fA-F]{24}$/)],
  ["uri", isRequestUri],
  ["email", isMailAddress],
  ["hostname", isHostname],
  // An IPv6 address that ends as an IPv4 one has its dots.
  ["ipv4", (text) => parseIp(text) !== undefined && text.includes(".")],
  ["ipv6", (text) => parseIp(text)?.strict === true && text.includes(":")],
  ["cidr", (text) => parseCidr(text) !== undefined],
  ["mac", isMac],
  ["uuid", uuid("[0-9a-f]")],
  ["uuid3", uuid("3")],
  ["uuid4", uuid("4", "[89ab]")],
  ["uuid5", uuid("5", "[89ab]")],
  ["isbn", (text) => isIsbn10(text) || isIsbn13(text)],
  ["isbn10", isIsbn10],
  ["isbn13", isIsbn13],
  ["creditcard", isCreditCard],
  ["ssn", matches(/^[0-9]{3}[- ][0-9]{2}[- ][0-9]{4}$/)],
  ["hexcolor", matches(/^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/)],
  ["rgbcolor", matches(new RegExp(`^rgb\\(${color},${color},${color}\\)$`))],
  ["byte", matches(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/)],
  ["password", () => true],
  ["date", isDate],
  ["duration", isDuration],
  ["datetime", isDateTime],
  ["k8sshortname", (text) => text.length <= 63 && shortNames.test(text)],
  ["k8slongname", (text) => text.length <= 253 && longNames.test(text)],
]);

const shortNames = new RegExp(`^${shortName}$`);
const longNames = new RegExp(`^${shortName}(?:\\.${shortName})*$`);

const letter = "[a-zA-Z0-9\\p{S}\\p{L}]";
const hostnames = new RegExp(
  `^(?:${letter}(?:-?${letter}{0,62})?|(?:${letter}(?:[-a-zA-Z0-9\\p{S}\\p{L}]{0,61}${letter})?\\.)+[a-zA-Z\\p{L}]{2,63})$`,
  "u",
);

function isHostname(text: string): boolean {
  return utf8Length(text) <= 255 && hostnames.test(text) && text.split(".").every((label) => utf8Length(label) <= 63);
}

/** Six, eight or twenty bytes, between them the same mark throughout: none, ":", "-", or a dot after each second one. */
function isMac(text: string): boolean {
  const forms = [
    /^[0-9a-f]{2}(?::[0-9a-f]{2})+$/i,
    /^[0-9a-f]{2}(?:-[0-9a-f]{2})+$/i,
    /^[0-9a-f]{4}(?:\.[0-9a-f]{4})+$/i,
    /^[0-9a-f]+$/i,
  ];
  return forms.some((form) => form.test(text)) && [12, 16, 40].includes(text.replaceAll(/[^0-9a-f]/gi, "").length);
}

const digitsOf = (text: string): number[] => [...text].map((digit) => (digit === "X" ? 10 : Number(digit)));
const isbnText = (text: string): string => text.replaceAll(/[\t\n\f\r -]+/g, "");

function isIsbn10(text: string): boolean {
  const plain = isbnText(text);
  return (
    /^[0-9]{9}[0-9X]$/.test(plain) && digitsOf(plain).reduce((sum, digit, at) => sum + (at + 1) * digit, 0) % 11 === 0
  );
}

function isIsbn13(text: string): boolean {
  const plain = isbnText(text);
  return (
    /^[0-9]{13}$/.test(plain) &&
    digitsOf(plain).reduce((sum, digit, at) => sum + (at % 2 === 0 ? 1 : 3) * digit, 0) % 10 === 0
  );
}

const cards =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35[0-9]{3})[0-9]{11})$/;

/** A number of a known card whose last digit fits the others. */
function isCreditCard(text: string): boolean {
  const plain = text.replaceAll(/[^0-9]+/g, "");
  const doubled = (digit: number): number => (digit < 5 ? digit * 2 : digit * 2 - 9);
  return (
    cards.test(plain) &&
    digitsOf(plain)
      .reverse()
      .reduce((sum, digit, at) => sum + (at % 2 === 0 ? digit : doubled(digit)), 0) %
      10 ===
      0
  );
}

function isDate(text: string): boolean {
  const [, year, month, day] = (/^([0-9]{4})-([0-9]{2})-([0-9]{2})$/.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined || month < 1 || month > 12 || day < 1)
    return false;
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day <= ([31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0);
}

/** What follows a second "t" is not looked at. */
function isDateTime(text: string): boolean {
  const [date = "", time] = text.toLowerCase().split("t");
  const parts = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(?:[^\n][0-9]+)?(?:z|[+-][0-9]{2}:[0-9]{2})$/u.exec(time ?? "");
  return isDate(date) && parts !== null && Number(parts[1]) <= 23 && Number(parts[2]) <= 59 && Number(parts[3]) <= 59;
}

const timeUnits = new Set(["ns", "us", "µs", "ms", "s", "m", "h", "hr", "d", "w", "wk"]);
const timeWords = ["nano", "micro", "milli", "sec", "min", "hour", "day", "week"];

/** A duration of Go's, or a text with one in it: `2 days`. */
function isDuration(text: string): boolean {
  if (parseDuration(text).error === undefined) return true;
  const found = [...text.matchAll(/([0-9]+)[\t\n\f\r ]*([A-Za-zµ]*)/g)].filter(([, , unit]) => unit !== "");
  const isUnit = (unit: string): boolean => timeUnits.has(unit) || timeWords.some((word) => unit.startsWith(word));
  return (
    found.every(([, count = ""]) => BigInt(count) < 2n ** 63n) &&
    found.some(([, , unit = ""]) => isUnit(unit.toLowerCase()))
  );
}
