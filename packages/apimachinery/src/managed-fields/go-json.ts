import { goEscapes } from "../text/go-json.js";
import { compareUtf8 } from "../text/utf8-order.js";

const escaped = /[<>&\u2028\u2029\b\f]/g;

/** Names, paths and versions, nearly always. */
const plain = /^[\w\-./ ]*$/;

/** A text as Go writes it in JSON: <, > and & are escaped too. */
export function goJsonString(text: string): string {
  if (plain.test(text)) return `"${text}"`;
  const json = JSON.stringify(text);
  if (json.search(escaped) < 0 && !json.includes("\\")) return json;
  return json
    .replaceAll(escaped, (unit) => goEscapes[unit] ?? unit)
    .replaceAll(/\\(\\|b|f)/g, (pair) => (pair === "\\b" ? "\\u0008" : pair === "\\f" ? "\\u000c" : pair));
}

/** A JSON value as Go writes it: members sorted, numbers in full, nothing between them. */
export function goJson(value: unknown): string {
  if (typeof value === "string") return goJsonString(value);
  if (value === null || typeof value !== "object") return value === undefined ? "null" : numberText(String(value));
  if (Array.isArray(value)) return `[${value.map(goJson).join(",")}]`;
  const members = Object.entries(value).sort(([a], [b]) => compareUtf8(a, b));
  return `{${members.map(([key, member]) => `${goJsonString(key)}:${goJson(member)}`).join(",")}}`;
}

/** Go writes exponents with two digits. */
const numberText = (text: string): string => text.replace(/e([+-])(\d)$/, "e$10$2");
