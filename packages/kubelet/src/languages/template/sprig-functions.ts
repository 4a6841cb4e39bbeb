import { largest, smallest } from "@coxswain/apimachinery/append";
import { getOwn } from "@coxswain/apimachinery/own";
import { checkLength, formatValue, type GoValue, isMap, isTrue, sortedKeys } from "./go-values.js";
import type { TemplateFunction, TemplateFunctions } from "./render.js";

const text = (value: GoValue): string => (value === undefined || value === null ? "" : formatValue(value));
const number = (value: GoValue): number => {
  const read = Math.trunc(Number(value));
  return Number.isFinite(read) ? read : 0;
};
const list = (value: GoValue): readonly unknown[] => {
  if (!Array.isArray(value)) throw new Error("the argument is no list");
  return value as readonly unknown[];
};
const present = (values: readonly GoValue[]): string[] =>
  values.filter((value) => value !== undefined && value !== null).map(text);

function dict(...pairs: GoValue[]): Record<string, unknown> {
  const entries: [string, unknown][] = [];
  for (let i = 0; i < pairs.length; i += 2) entries.push([text(pairs[i]), i + 1 < pairs.length ? pairs[i + 1] : ""]);
  return Object.fromEntries(entries);
}

const indent = (count: GoValue, value: GoValue): string => {
  const pad = " ".repeat(Math.min(1000, Math.max(0, number(count))));
  const lines = text(value).split("\n");
  checkLength(lines.length * pad.length);
  return pad + lines.join(`\n${pad}`);
};

function replace(from: GoValue, to: GoValue, value: GoValue): string {
  const [before, after, whole] = [text(from), text(to), text(value)];
  const places = before === "" ? whole.length + 1 : whole.split(before).length - 1;
  checkLength(whole.length + places * after.length);
  return whole.replaceAll(before, () => after);
}

function join(by: GoValue, values: GoValue): string {
  const texts = Array.isArray(values) ? present(values) : [text(values)];
  checkLength(texts.length * text(by).length);
  return texts.join(text(by));
}

/**
 * The functions of the Sprig library that stages use, and their neighbours: texts, lists, dictionaries, defaults and whole
 * numbers. Those that read the environment, the network, or chance are left out.
 */
export const sprigFunctions: TemplateFunctions = new Map<string, TemplateFunction>([
  ["default", (fallback, value) => (isTrue(value) ? value : fallback)],
  ["empty", (value) => !isTrue(value)],
  ["coalesce", (...values) => values.find(isTrue) ?? null],
  ["ternary", (yes, no, condition) => (condition === true ? yes : no)],
  ["toString", text],
  ["toJson", (value) => JSON.stringify(value ?? null)],
  [
    "quote",
    (...values) =>
      present(values)
        .map((value) => JSON.stringify(value))
        .join(" "),
  ],
  [
    "squote",
    (...values) =>
      present(values)
        .map((value) => `'${value}'`)
        .join(" "),
  ],
  ["upper", (value) => text(value).toUpperCase()],
  ["lower", (value) => text(value).toLowerCase()],
  ["trim", (value) => text(value).trim()],
  [
    "trimPrefix",
    (prefix, value) => (text(value).startsWith(text(prefix)) ? text(value).slice(text(prefix).length) : value),
  ],
  [
    "trimSuffix",
    (suffix, value) =>
      text(suffix) !== "" && text(value).endsWith(text(suffix)) ? text(value).slice(0, -text(suffix).length) : value,
  ],
  ["hasPrefix", (prefix, value) => text(value).startsWith(text(prefix))],
  ["hasSuffix", (suffix, value) => text(value).endsWith(text(suffix))],
  ["contains", (part, value) => text(value).includes(text(part))],
  ["replace", replace],
  [
    "trunc",
    (count, value) => (number(count) < 0 ? text(value).slice(number(count)) : text(value).slice(0, number(count))),
  ],
  ["indent", indent],
  ["nindent", (count, value) => `\n${indent(count, value)}`],
  ["join", join],
  ["splitList", (by, value) => text(value).split(text(by))],
  ["list", (...values) => values],
  ["first", (values) => list(values)[0]],
  ["last", (values) => list(values).at(-1)],
  ["rest", (values) => list(values).slice(1)],
  ["has", (value, values) => list(values).includes(value)],
  ["dict", dict],
  ["get", (map, key) => (isMap(map) ? (getOwn(map, text(key)) ?? "") : "")],
  ["hasKey", (map, key) => isMap(map) && Object.hasOwn(map, text(key))],
  ["keys", (map) => (isMap(map) ? sortedKeys(map) : [])],
  ["int", number],
  ["int64", number],
  ["add", (...values) => values.reduce<number>((sum, value) => sum + number(value), 0)],
  ["add1", (value) => number(value) + 1],
  ["sub", (a, b) => number(a) - number(b)],
  ["mul", (...values) => values.reduce<number>((product, value) => product * number(value), 1)],
  ["div", (a, b) => Math.trunc(number(a) / nonZero(b))],
  ["mod", (a, b) => number(a) % nonZero(b)],
  ["max", (...values) => largest(values.map(number))],
  ["min", (...values) => smallest(values.map(number))],
]);

function nonZero(value: GoValue): number {
  const read = number(value);
  if (read === 0) throw new Error("integer divide by zero");
  return read;
}
