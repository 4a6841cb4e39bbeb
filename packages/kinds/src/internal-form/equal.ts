import { getOwn, ownEntries, ownKeys } from "@coxswain/apimachinery/own";
import { Quantity } from "@coxswain/apimachinery/quantity";
import { emptyMap } from "./empty-map.js";

/** Whether two internal forms are equal: an empty list or map is none. Amounts are compared by value: 1Gi is 1024Mi, and also 1073741824. */
export function sameForm(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (a instanceof Quantity) return b instanceof Quantity && a.equals(b);
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return isNothing(a) && isNothing(b);
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => sameForm(item, b[i]));
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  return (
    ownKeys(left).length === ownKeys(right).length &&
    ownEntries(left).every(([key, value]) => sameForm(value, getOwn(right, key)))
  );
}

const isNothing = (value: unknown): boolean =>
  value === null || value === emptyMap || (Array.isArray(value) && value.length === 0);
