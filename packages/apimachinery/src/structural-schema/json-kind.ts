import { isList } from "../patch/json-value.js";

export type JsonKind = "string" | "boolean" | "integer" | "number" | "array" | "object";

/** What Go takes a value for: an int64 where the number is a whole one, else a float64. Not for null. */
export function jsonKind(value: unknown): JsonKind {
  switch (typeof value) {
    case "string":
      return "string";
    case "boolean":
      return "boolean";
    case "bigint":
      return "integer";
    case "number":
      return Number.isSafeInteger(value) ? "integer" : "number";
    default:
      return isList(value) ? "array" : "object";
  }
}

/** Whether a float64 is a whole number, or as good as one. */
export function isWhole(value: number): boolean {
  if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) return false;
  if (Number.isInteger(value)) return true;
  const whole = Math.floor(value);
  return value > 1 && (value - whole) / (value + whole) < 1e-9;
}
