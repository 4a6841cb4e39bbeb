import { goFloat } from "@coxswain/apimachinery/text";
import { formatDuration } from "@coxswain/apimachinery/time";
import { Type } from "../types/type.js";
import { elementsOf } from "./list-value.js";
import { formatTimestamp } from "./timestamp.js";
import {
  CelError,
  Double,
  Duration,
  ListValue,
  MapValue,
  OptionalValue,
  Timestamp,
  Uint,
  type Value,
} from "./value.js";

/** A value as upstream's error messages show it: Go's %v (github.com/google/cel-go/common/types/format.go, Format). */
export function showValue(value: Value): string {
  if (typeof value === "string") return value;
  if (value === null) return "null";
  if (value instanceof Double) return goFloat(value.value);
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Duration) return formatDuration(value.nanoseconds);
  if (value instanceof Timestamp) return formatTimestamp(value);
  if (value instanceof Uint8Array) return `[${value.join(" ")}]`;
  if (value instanceof ListValue) return `[${[...elementsOf(value)].map(showValue).join(", ")}]`;
  if (value instanceof MapValue)
    return `{${[...value.keys()].map((key) => `${showValue(key)}: ${showValue(value.find(key) as Value)}`).join(", ")}}`;
  if (value instanceof OptionalValue)
    return value.value === undefined ? "optional.none()" : `optional(${showValue(value.value)})`;
  if (value instanceof Type) return value.name;
  if (value instanceof CelError) return value.message;
  return String(value);
}
