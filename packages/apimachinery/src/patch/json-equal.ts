import { getOwn } from "../own/index.js";
import { isList, isObject, type JsonObject } from "./json-value.js";

/** Whether two JSON values say the same: the order of members does not matter, 1 and 1n are one number. */
export function jsonEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (isList(a)) return isList(b) && listsEqual(a, b);
  if (isObject(a)) return isObject(b) && objectsEqual(a, b);
  // oxlint-disable-next-line eqeqeq -- a bigint and a number of the same value are loosely equal only
  return typeof a !== typeof b && isNumeric(a) && isNumeric(b) && a == b;
}

const isNumeric = (value: unknown): boolean => typeof value === "number" || typeof value === "bigint";

function listsEqual(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, index) => jsonEqual(item, b[index]));
}

function objectsEqual(a: JsonObject, b: JsonObject): boolean {
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => {
    const right = getOwn(b, key);
    return right !== undefined && jsonEqual(getOwn(a, key), right);
  });
}
