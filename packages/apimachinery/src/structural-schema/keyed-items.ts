import { stringifyJson } from "../json/encode.js";
import { getOwn } from "../own/index.js";
import { isList, isObject, type JsonObject } from "../patch/json-value.js";
import type { Structural } from "./structural.js";

/** Finds the item of a list that has the same keys as another; undefined for none. */
export type FindItem = (like: unknown) => unknown;

/** Lookup in a list whose items are identified by keys (x-kubernetes-list-type: map). Other lists have no such items: nothing is found. */
export function keyedItems({ type, listType, listKeys }: Structural, list: unknown): FindItem {
  if (type !== "array" || listType !== "map" || listKeys.length === 0 || !isList(list)) return () => undefined;
  let items: Map<string, JsonObject> | undefined;
  return (like) => {
    items ??= indexItems(list, listKeys);
    const identity = isObject(like) ? identityOf(like, listKeys) : undefined;
    return identity === undefined ? undefined : items.get(identity);
  };
}

/** Of items with the same keys the first counts. */
function indexItems(list: readonly unknown[], keys: readonly string[]): Map<string, JsonObject> {
  const items = new Map<string, JsonObject>();
  for (const item of list) {
    const identity = isObject(item) ? identityOf(item, keys) : undefined;
    if (identity !== undefined && !items.has(identity)) items.set(identity, item as JsonObject);
  }
  return items;
}

/** Undefined where a key is missing or no scalar. */
function identityOf(item: JsonObject, keys: readonly string[]): string | undefined {
  const [first] = keys;
  const only = keys.length === 1 && first !== undefined ? getOwn<unknown>(item, first) : undefined;
  if (typeof only === "string") return only; // most lists have such keys; JSON of a list begins with a bracket
  const values: unknown[] = [];
  for (const key of keys) {
    const value = getOwn<unknown>(item, key);
    if (value === undefined || value === null || typeof value === "object") return undefined;
    values.push(value);
  }
  return stringifyJson(values);
}
