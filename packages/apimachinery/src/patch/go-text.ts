import { goNumber } from "../field/index.js";
import { getOwn } from "../own/index.js";
import { compareUtf8 } from "../text/utf8-order.js";
import { isList, isObject } from "./json-value.js";

/**
 * A JSON value as Go's %v prints it: `map[a:1 b:[x y]]`. Upstream's messages quote patches so. Where upstream does not keep
 * integers apart from other numbers, as in YAML, `numberText` is `goFloat`.
 */
export function goText(value: unknown, numberText: (value: number) => string = goNumber): string {
  if (value === null || value === undefined) return "<nil>";
  if (isList(value)) return `[${value.map((item) => goText(item, numberText)).join(" ")}]`;
  if (isObject(value)) {
    const members = Object.keys(value).sort(compareUtf8);
    return `map[${members.map((key) => `${key}:${goText(getOwn<unknown>(value, key), numberText)}`).join(" ")}]`;
  }
  return typeof value === "number" ? numberText(value) : String(value);
}

/** The Go type that a value decodes to; "" for null. */
export function goType(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (isList(value)) return "[]interface {}";
  if (isObject(value)) return "map[string]interface {}";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "string") return "string";
  return typeof value === "bigint" || Number.isInteger(value) ? "int64" : "float64";
}
