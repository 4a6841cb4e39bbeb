import { getOwn } from "@coxswain/apimachinery/own";
import { formatText, formatValue, type GoValue, isMap, isTrue, typeOf } from "./go-values.js";
import type { TemplateFunction, TemplateFunctions } from "./render.js";

const kindOf = (value: GoValue): string | undefined =>
  value === undefined || value === null ? undefined : typeof value;

function isEqual(a: GoValue, b: GoValue): boolean {
  const [left, right] = [kindOf(a), kindOf(b)];
  if (left === undefined || right === undefined) return left === right;
  if (left === "object" || right === "object")
    throw new Error(`non-comparable type ${typeOf(left === "object" ? a : b)}`);
  if (left !== right) throw new Error("incompatible types for comparison");
  return a === b;
}

function isLess(a: GoValue, b: GoValue): boolean {
  const [left, right] = [kindOf(a), kindOf(b)];
  if (left !== right) throw new Error("incompatible types for comparison");
  if (left !== "number" && left !== "string") throw new Error("invalid type for comparison");
  return (a as number) < (b as number);
}

function index(of: GoValue, ...keys: GoValue[]): GoValue {
  let value = of;
  for (const key of keys) {
    if (value === undefined || value === null) throw new Error("index of untyped nil");
    if (Array.isArray(value)) {
      if (typeof key !== "number") throw new Error(`cannot index slice/array with type ${typeOf(key)}`);
      if (key < 0 || key >= value.length) throw new Error(`index out of range: ${key}`);
      value = value[key];
    } else if (isMap(value)) {
      if (typeof key !== "string") throw new Error(`value has type ${typeOf(key)}; should be string`);
      value = getOwn(value, key) ?? null;
    } else throw new Error(`can't index item of type ${typeOf(value)}`);
  }
  return value;
}

function length(value: GoValue): number {
  if (typeof value === "string") return new TextEncoder().encode(value).length;
  if (Array.isArray(value)) return value.length;
  if (isMap(value)) return Object.keys(value).length;
  throw new Error(value === undefined || value === null ? "len of nil pointer" : `len of type ${typeOf(value)}`);
}

/** A space stands between operands when neither is a string. */
function print(...args: GoValue[]): string {
  let text = "";
  for (const [i, arg] of args.entries()) {
    const isSpaced = i > 0 && typeof arg !== "string" && typeof args[i - 1] !== "string";
    text += (isSpaced ? " " : "") + formatValue(arg);
  }
  return text;
}

/** Functions that every template of Go has; `and` and `or` are the evaluator's own, since they leave arguments out. */
export const goFunctions: TemplateFunctions = new Map<string, TemplateFunction>([
  ["and", () => undefined],
  ["or", () => undefined],
  ["not", (value) => !isTrue(value)],
  ["eq", (a, ...others) => others.some((b) => isEqual(a, b))],
  ["ne", (a, b) => !isEqual(a, b)],
  ["lt", (a, b) => isLess(a, b)],
  ["le", (a, b) => isLess(a, b) || isEqual(a, b)],
  ["gt", (a, b) => !isLess(a, b) && !isEqual(a, b)],
  ["ge", (a, b) => !isLess(a, b)],
  ["index", index],
  ["len", length],
  ["print", print],
  ["println", (...args) => `${args.map((arg) => formatValue(arg)).join(" ")}\n`],
  ["printf", (format, ...args) => formatText(String(format), args)],
]);
