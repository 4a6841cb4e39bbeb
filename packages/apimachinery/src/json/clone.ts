import { setOwn } from "../own/index.js";
import { givenEmptyOf, noteGivenEmpty } from "./given-empty.js";
import { copySentText } from "./whole-floats.js";

/** A deep copy of plain JSON data. Members of any name stay own members. `shared`, wherever it is, is not copied but held by both. */
export function cloneJson<T>(value: T, shared?: object): T {
  const copy = clone(value, shared) as T;
  if (typeof value === "object" && value !== null) copySentText(value, copy as object);
  return copy;
}

function clone(value: unknown, shared: object | undefined): unknown {
  if (typeof value !== "object" || value === null || value === shared) return value;
  if (Array.isArray(value)) {
    const list: unknown[] = [];
    for (let at = 0; at < value.length; at++) list.push(clone(value[at], shared));
    return list;
  }
  return cloneObject(value as Record<string, unknown>, shared);
}

/** `for…in` names own members here: plain data has nothing enumerable in its prototype. */
function cloneObject(value: Record<string, unknown>, shared: object | undefined): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const key in value) setOwn(copy, key, clone(value[key], shared));
  const empty = givenEmptyOf(value);
  if (empty !== undefined) noteGivenEmpty(copy, empty);
  return copy;
}
