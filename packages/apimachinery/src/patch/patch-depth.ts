import { isList, isObject } from "./json-value.js";
import { malformedPatch } from "./patch-errors.js";

/** Deeper values are refused: the engines recurse. Go's decoder refuses at 10,000; nothing real comes near either. */
export const maxPatchDepth = 1_000;

/** Throws 400 for a value nested deeper than `maxPatchDepth`. Does not recurse. */
export function checkDepth(value: unknown): void {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxPatchDepth) throw malformedPatch("exceeded max depth");
    const below: unknown[] = [];
    for (const item of level) {
      if (isList(item)) for (const child of item) pushContainer(below, child);
      else if (isObject(item)) for (const key in item) pushContainer(below, item[key]);
    }
    level = below;
  }
}

function pushContainer(into: unknown[], value: unknown): void {
  if (typeof value === "object" && value !== null) into.push(value);
}
