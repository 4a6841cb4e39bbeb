import { goFloat, quoteGo } from "../field/index.js";
import { goText } from "../patch/go-text.js";
import { compareUtf8 } from "../text/utf8-order.js";
import { goJson, goJsonString } from "./go-json.js";

/**
 * One step of a path, as FieldsV1 writes it:
 *   f:name            a member
 *   k:{"name":"a"}    the item of a list with these keys, sorted
 *   v:"a"             the item of a set
 *   i:0               an item by its place
 * The text is canonical, so that equal elements are equal texts.
 */
export type PathElement = string;

export const fieldElement = (name: string): PathElement => `f:${name}`;
export const valueElement = (value: unknown): PathElement =>
  `v:${typeof value === "string" ? goJsonString(value) : goJson(value)}`;

/** `names` are sorted; keys without a value are left out. */
export function keyElement(names: readonly string[], values: readonly unknown[]): PathElement {
  let text = "k:{";
  let separator = "";
  for (let index = 0; index < names.length; index++) {
    const value = values[index];
    if (value === undefined) continue;
    text += `${separator}${goJsonString(names[index] ?? "")}:${goJson(value)}`;
    separator = ",";
  }
  return `${text}}`;
}

type Parsed =
  | { readonly kind: "k"; readonly names: string[]; readonly values: unknown[] }
  | { readonly kind: "v"; readonly value: unknown };

/** Keys such as `k:{"type":"Ready"}` come back in every object of a kind. Emptied when full: users choose the texts. */
const parsedElements = new Map<string, Parsed>();
const canonicalElements = new Map<string, string | undefined>();
const maxKnown = 10_000;

function parse(element: PathElement): Parsed {
  let parsed = parsedElements.get(element);
  if (parsed) return parsed;
  const value = JSON.parse(element.slice(2)) as unknown;
  if (element[0] === "v") parsed = { kind: "v", value };
  else {
    if (typeof value !== "object" || value === null || Array.isArray(value))
      throw new Error("ReadObjectCB: expect { or n");
    const members = Object.entries(value).sort(([a], [b]) => compareUtf8(a, b));
    parsed = {
      kind: "k",
      names: members.map(([name]) => name),
      values: members.map(([, member]) => member as unknown),
    };
  }
  if (parsedElements.size >= maxKnown) parsedElements.clear();
  parsedElements.set(element, parsed);
  return parsed;
}

/** Canonical text of an element that a client wrote; undefined for kinds that nobody knows. Throws where it cannot be read. */
export function canonicalElement(text: string): PathElement | undefined {
  if (text.startsWith("f:")) return text;
  if (canonicalElements.has(text)) return canonicalElements.get(text);
  if (text.length < 2) throw new Error("key must be 2 characters long:");
  if (text[1] !== ":") throw new Error(`missing colon: ${text}`);
  const canonical = canonicalise(text);
  if (canonicalElements.size >= maxKnown) canonicalElements.clear();
  canonicalElements.set(text, canonical);
  return canonical;
}

function canonicalise(text: string): PathElement | undefined {
  if (text[0] === "i") {
    if (!/^i:[+-]?[0-9]+$/.test(text))
      throw new Error(`strconv.Atoi: parsing ${JSON.stringify(text.slice(2))}: invalid syntax`);
    return `i:${Number(text.slice(2))}`;
  }
  if (text[0] !== "k" && text[0] !== "v") return undefined;
  const parsed = parse(text);
  return parsed.kind === "v" ? valueElement(parsed.value) : keyElement(parsed.names, parsed.values);
}

/** Members, then keys, then values, then places; each by what it holds, not by its text. */
export function compareElements(a: PathElement, b: PathElement): number {
  if (a === b) return 0;
  const kind = rankOf(a);
  const byKind = kind - rankOf(b);
  if (byKind !== 0) return byKind;
  if (kind === 0) return compareUtf8(a, b);
  if (kind === 3) return Number(a.slice(2)) - Number(b.slice(2));
  const plain = comparePlain(a, b);
  if (plain !== undefined) return plain;
  const left = parse(a);
  const right = parse(b);
  if (left.kind === "v" || right.kind === "v")
    return left.kind === right.kind
      ? compareValues((left as { value: unknown }).value, (right as { value: unknown }).value)
      : 0;
  for (let index = 0; ; index++) {
    const [name, other] = [left.names[index], right.names[index]];
    if (name === undefined || other === undefined) return left.names.length - right.names.length;
    const order = compareUtf8(name, other) || compareValues(left.values[index], right.values[index]);
    if (order !== 0) return order;
  }
}

/** Of a set of texts, and of a list with one key that is a text: most are without escapes, and need not be parsed to be compared. */
const plainElement = /^(?:v:|k:\{"([^"\\]*)":)"([^"\\]*)"\}?$/;

function comparePlain(a: PathElement, b: PathElement): number | undefined {
  const left = plainElement.exec(a);
  const right = left && plainElement.exec(b);
  return right && left[1] === right[1] ? compareUtf8(left[2] as string, right[2] as string) : undefined;
}

const ranks = "fkvi?";
const rankOf = (element: PathElement): number => ranks.indexOf(element[0] ?? "");

/** Numbers, texts, booleans, lists, objects, null. */
function compareValues(a: unknown, b: unknown): number {
  const rank = valueRank(a) - valueRank(b);
  if (rank !== 0) return rank;
  if (typeof a === "string") return compareUtf8(a, b as string);
  if (typeof a === "object") return compareUtf8(goJson(a), goJson(b));
  return (a as number) < (b as number) ? -1 : (a as number) > (b as number) ? 1 : 0;
}

function valueRank(value: unknown): number {
  if (typeof value === "number" || typeof value === "bigint") return 0;
  if (typeof value === "string") return 1;
  if (typeof value === "boolean") return 2;
  return Array.isArray(value) ? 3 : value === null ? 5 : 4;
}

/** As people read it: `.spec`, `[name="a",port=80]`, `[="a"]`, `[0]`. */
export function elementText(element: PathElement): string {
  if (element.startsWith("f:")) return `.${element.slice(2)}`;
  if (element.startsWith("i:")) return `[${element.slice(2)}]`;
  const parsed = parse(element);
  if (parsed.kind === "v") return `[=${valueText(parsed.value)}]`;
  return `[${parsed.names.map((name, index) => `${name}=${valueText(parsed.values[index])}`).join(",")}]`;
}

export const pathText = (path: readonly PathElement[]): string => path.map(elementText).join("");

function valueText(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "string") return quoteGo(value);
  if (Array.isArray(value)) return `[${value.map(valueText).join(",")}]`;
  return typeof value === "object"
    ? Object.entries(value)
        .map(([name, member]) => `${name}=${valueText(member)}`)
        .join("")
    : goText(value, goFloat);
}
