import { isList, isObject } from "./json-value.js";
import { compareUtf8 } from "../json/utf8.js";

/** A JSON value as Go's %v prints it: `map[a:1 b:[x y]]`. Upstream's messages quote patches so. */
export function goText(value: unknown): string {
  if (value === null || value === undefined) return "<nil>";
  if (isList(value)) return `[${value.map(goText).join(" ")}]`;
  if (isObject(value)) {
    const members = Object.keys(value).sort(compareUtf8);
    return `map[${members.map((key) => `${key}:${goText(value[key])}`).join(" ")}]`;
  }
  return typeof value === "number" ? goNumber(value) : String(value);
}

function goNumber(value: number): string {
  if (Number.isInteger(value)) return String(value);
  const text = String(value);
  // Go writes at least two digits of exponent, and turns to exponents at 1e-5 where JavaScript does at 1e-7.
  if (Math.abs(value) < 1e-4) {
    const [digits = "", exponent = ""] = value.toExponential().split("e");
    return `${digits}e-${exponent.slice(1).padStart(2, "0")}`;
  }
  return text;
}

/** What Go's JSON decoder calls a value. */
export function goJsonKind(value: unknown): string {
  if (isList(value)) return "array";
  if (isObject(value)) return "object";
  if (typeof value === "boolean") return "bool";
  return typeof value === "string" ? "string" : "number";
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
