import { setOwn } from "../own/index.js";
import { givenEmptyOf, noteGivenEmpty } from "./given-empty.js";

/** A deep copy of plain JSON data. Members of any name stay own members. */
export function cloneJson<T>(value: T): T {
  return clone(value) as T;
}

function clone(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const list: unknown[] = [];
    for (let at = 0; at < value.length; at++) list.push(clone(value[at]));
    return list;
  }
  return cloneObject(value as Record<string, unknown>);
}

/** `for…in` names own members here: plain data has nothing enumerable in its prototype. */
function cloneObject(value: Record<string, unknown>): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const key in value) setOwn(copy, key, clone(value[key]));
  const empty = givenEmptyOf(value);
  if (empty !== undefined) noteGivenEmpty(copy, empty);
  return copy;
}
