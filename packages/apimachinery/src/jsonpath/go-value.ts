import { goFloat, goNumber } from "../field/index.js";
import { ownEntries } from "../own/index.js";
import { compareUtf8 } from "../text/utf8-order.js";
import { GoFloat } from "./node.js";

export const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

export const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !isList(value) && !(value instanceof GoFloat);

/** Members in the order of their keys' bytes. Upstream's order is random where it is not this one. */
export const sortedEntries = (map: Readonly<Record<string, unknown>>): [string, unknown][] =>
  ownEntries(map).sort(([a], [b]) => compareUtf8(a, b));

/** The name of the type that Go decodes a JSON value to. */
export function goType(value: unknown): string {
  if (isList(value)) return "[]interface {}";
  switch (typeof value) {
    case "string":
      return "string";
    case "boolean":
      return "bool";
    case "bigint":
      return "int64";
    case "number":
      return Number.isInteger(value) ? "int64" : "float64";
    default:
      return value instanceof GoFloat ? "float64" : "map[string]interface {}";
  }
}

/** A value as Go's %v prints it: `map[a:1 b:[x y]]`. */
export function goText(value: unknown): string {
  if (value === null || value === undefined) return "<nil>";
  if (isList(value)) return `[${value.map(goText).join(" ")}]`;
  if (value instanceof GoFloat) return goFloat(value.value);
  if (isMap(value))
    return `map[${sortedEntries(value)
      .map(([key, member]) => `${key}:${goText(member)}`)
      .join(" ")}]`;
  return typeof value === "number" || typeof value === "bigint" ? goNumber(value) : String(value);
}

/** The same value with its members in order, as Go's encoder writes maps. */
export function sortedCopy(value: unknown): unknown {
  if (isList(value)) return value.map(sortedCopy);
  if (value instanceof GoFloat) return value.value;
  if (!isMap(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const [key, member] of sortedEntries(value)) {
    Object.defineProperty(copy, key, {
      value: sortedCopy(member),
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  return copy;
}
