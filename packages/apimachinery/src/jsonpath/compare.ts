import { compareUtf8 } from "../text/utf8-order.js";
import { GoFloat } from "./node.js";

/** Whether `left operator right` holds, or why the two cannot be compared. */
export type Compared = { readonly holds: boolean } | { readonly error: string };

type Kind = "bool" | "int" | "float" | "string";

function kindOf(value: unknown): Kind | undefined {
  switch (typeof value) {
    case "boolean":
      return "bool";
    case "string":
      return "string";
    case "bigint":
      return "int";
    case "number":
      return Number.isInteger(value) ? "int" : "float";
    default:
      return value instanceof GoFloat ? "float" : undefined;
  }
}

const wrongType: Compared = { error: "invalid type for comparison" };

/** Integers, floats, strings and booleans compare among themselves only. */
export function compareValues(left: unknown, operator: string, right: unknown): Compared {
  const kind = kindOf(left);
  const other = kindOf(right);
  if (kind === undefined || other === undefined) return wrongType;
  if (!["==", "!=", "<", "<=", ">", ">="].includes(operator))
    return { error: `unrecognized filter operator ${operator}` };
  if (kind !== other) return { error: "incompatible types for comparison" };
  const ordering = operator !== "==" && operator !== "!=";
  if (ordering && kind === "bool") return wrongType;
  const order = orderOf(plain(left), plain(right));
  switch (operator) {
    case "==":
      return { holds: order === 0 };
    case "!=":
      return { holds: order !== 0 };
    case "<":
      return { holds: order < 0 };
    case "<=":
      return { holds: order <= 0 };
    case ">":
      return { holds: order > 0 };
    default:
      return { holds: order >= 0 };
  }
}

const plain = (value: unknown): unknown => (value instanceof GoFloat ? value.value : value);

function orderOf(left: unknown, right: unknown): number {
  if (typeof left === "string" && typeof right === "string") return compareUtf8(left, right);
  const [a, b] = [left as number | bigint, right as number | bigint];
  return a < b ? -1 : a > b ? 1 : 0;
}
