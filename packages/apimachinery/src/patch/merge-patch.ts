import { deleteOwn, getOwn, ownEntries, setOwn } from "../own/index.js";
import { goJsonKind } from "../text/index.js";
import { isList, isObject, type JsonObject } from "./json-value.js";
import { checkDepth } from "./patch-depth.js";
import { malformedPatch } from "./patch-errors.js";

/**
 * RFC 7386, with upstream's one departure: nulls inside objects inside lists are dropped too where the list replaces
 * something that is no object.
 *
 * Guarantees: inputs are not changed, and what the patch does not name is shared with `current`.
 * Throws 400 for a patch that is no object, or too deep.
 */
export function applyMergePatch(current: JsonObject, patch: unknown): JsonObject {
  if (patch === null || patch === undefined) throw malformedPatch("Invalid JSON Patch");
  if (!isObject(patch))
    throw malformedPatch(
      `error decoding patch: json: cannot unmarshal ${goJsonKind(patch)} into Go value of type map[string]interface {}`,
    );
  checkDepth(patch);
  return mergeObjects(current, patch);
}

function mergeObjects(current: JsonObject, patch: JsonObject): JsonObject {
  const out: Record<string, unknown> = { ...current };
  for (const [key, value] of ownEntries<unknown>(patch)) {
    if (value === null) {
      deleteOwn(out, key);
      continue;
    }
    const before = getOwn<unknown>(current, key);
    if (isObject(before)) setOwn(out, key, isObject(value) ? mergeObjects(before, value) : value);
    else setOwn(out, key, withoutNulls(value));
  }
  return out;
}

/** The value without null members, at any depth; null items of lists stay. Shares what has none. */
export function withoutNulls(value: unknown): unknown {
  if (isList(value)) {
    const items = value.map(withoutNulls);
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isObject(value)) return value;
  const out: Record<string, unknown> = {};
  let changed = false;
  for (const [key, member] of ownEntries<unknown>(value)) {
    if (member === null) {
      changed = true;
      continue;
    }
    const kept = withoutNulls(member);
    if (kept !== member) changed = true;
    setOwn(out, key, kept);
  }
  return changed ? out : value;
}
