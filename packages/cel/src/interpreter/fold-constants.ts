import { isInt } from "../values/int.js";
import { elementsOf } from "../values/list-value.js";
import { CelError, Double, ListValue, Uint, type Value } from "../values/value.js";

/** Conversions of literals, `duration("1h")`, are computed once, and fail before evaluation. */
export const conversions: ReadonlySet<string> = new Set([
  "bool",
  "bytes",
  "double",
  "duration",
  "dyn",
  "int",
  "string",
  "timestamp",
  "type",
  "uint",
]);

/** The expression cannot be evaluated whatever the variables are. */
export class ProgramError extends Error {
  override readonly cause: CelError;
  constructor(cause: CelError) {
    super(cause.message);
    this.cause = cause;
  }
}

/** Membership in a constant list by lookup; undefined for lists whose elements have no such key. */
export function constantMembership(list: ListValue): ((value: Value) => boolean) | undefined {
  const keys = new Set<string>();
  for (const element of elementsOf(list)) {
    const key = memberKey(element);
    if (key === undefined) return undefined;
    // Not a number equals nothing.
    if (key !== "dNaN") keys.add(key);
  }
  return (value) => {
    const key = memberKey(value);
    return key !== undefined && keys.has(key);
  };
}

/** One key for numbers that are equal across types. */
function memberKey(value: Value): string | undefined {
  if (typeof value === "string") return `s${value}`;
  if (typeof value === "boolean") return String(value);
  if (isInt(value)) return `n${value}`;
  if (value instanceof Uint) return `n${value.value}`;
  if (value instanceof Double) return Number.isInteger(value.value) ? `n${BigInt(value.value)}` : `d${value.value}`;
  return undefined;
}
