import type { Steps } from "@coxswain/runtime/steps";
import { getOwn } from "../own/index.js";
import { isList, isObject } from "../patch/json-value.js";
import type { ListAtom } from "./atom.js";
import { elementsPerStep, stepMicros } from "./element-steps.js";
import { keyElement, type PathElement, valueElement } from "./path-element.js";
import { TypeMismatch } from "./type-mismatch.js";

/** What identifies an item of an associative list: its keys, or itself. Throws for an item that cannot have an identity. */
export function itemElement(item: unknown, list: ListAtom): PathElement {
  if (list.keys.length === 0) return setElement(item);
  if (item === null || item === undefined)
    throw new TypeMismatch("associative list with keys may not have a null element");
  if (!isObject(item)) throw new TypeMismatch("associative list with keys may not have non-map elements");
  let found = false;
  const values = list.keys.map((key, index) => {
    const value = getOwn<unknown>(item, key) ?? (getOwn<unknown>(item, key) === null ? null : list.keyDefaults[index]);
    if (value !== undefined) found = true;
    return value;
  });
  if (!found) {
    const keys = list.declaredKeys.map((key) => JSON.stringify(key)).join(" ");
    throw new TypeMismatch(
      `associative list with keys has an element that omits all key fields [${keys}] (and doesn't have default values for any key fields)`,
    );
  }
  return keyElement(list.keys, values);
}

function setElement(item: unknown): PathElement {
  if (isObject(item)) throw new TypeMismatch("associative list without keys has an element that's a map type");
  if (isList(item)) throw new TypeMismatch("not supported: associative list with lists as elements");
  if (item === null || item === undefined)
    throw new TypeMismatch("associative list without keys has an element that's an explicit null");
  return valueElement(item);
}

/** Stands for items that cannot have an identity, where they do not matter: for example half-way through pruning. Never written. */
const noElement: PathElement = "?:";

/** Items by their identity, in order of first appearance; more than one: duplicates. `lenient`: all items without one are the same. */
export function* itemsByElement(
  items: readonly unknown[],
  list: ListAtom,
  { lenient = false } = {},
): Steps<Map<PathElement, unknown[]>> {
  const found = new Map<PathElement, unknown[]>();
  let seen = 0;
  for (const item of items) {
    const element = lenient ? elementOrNone(item, list) : itemElement(item, list);
    const same = found.get(element);
    if (same) same.push(item);
    else found.set(element, [item]);
    if (++seen % elementsPerStep === 0) yield stepMicros;
  }
  return found;
}

function elementOrNone(item: unknown, list: ListAtom): PathElement {
  try {
    return itemElement(item, list);
  } catch (error) {
    if (error instanceof TypeMismatch) return noElement;
    throw error;
  }
}
