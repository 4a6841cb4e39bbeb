import { equalJson } from "../json/equal.js";
import { getOwn, ownEntries, setOwn } from "../own/index.js";
import { goType } from "./go-text.js";
import { isObject, type JsonObject } from "./json-value.js";

/** The JSON merge patch that makes `modified` out of `original`. Nulls in `modified` cannot be expressed in it. */
export function createMergePatch(original: JsonObject, modified: JsonObject): Record<string, unknown> {
  const patch: Record<string, unknown> = {};
  for (const [key, after] of ownEntries<unknown>(modified)) {
    const before = getOwn<unknown>(original, key);
    if (before === undefined || goType(before) !== goType(after)) {
      if (before === undefined || !equalJson(before, after)) setOwn(patch, key, after);
    } else if (isObject(before)) {
      const inner = createMergePatch(before, after as JsonObject);
      if (Object.keys(inner).length > 0) setOwn(patch, key, inner);
    } else if (!equalJson(before, after)) setOwn(patch, key, after);
  }
  for (const key of Object.keys(original)) if (getOwn<unknown>(modified, key) === undefined) setOwn(patch, key, null);
  return patch;
}

/** The part of a merge patch that deletes, or the part that does not. An empty object is a value, not an empty patch. */
export function filterNulls(patch: JsonObject, keep: "deletions" | "changes"): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const [key, value] of ownEntries<unknown>(patch)) {
    if (value === null) {
      if (keep === "deletions") setOwn(out, key, null);
    } else if (isObject(value) && Object.keys(value).length > 0) {
      const inner = filterNulls(value, keep);
      if (Object.keys(inner).length > 0) setOwn(out, key, inner);
    } else if (keep === "changes") setOwn(out, key, value);
  }
  return out;
}
