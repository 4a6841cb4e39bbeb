import { getOwn, ownEntries, setOwn } from "../own/index.js";
import { goText } from "./go-text.js";
import { isList, isObject, type JsonObject } from "./json-value.js";
import { malformedPatch, unmergeable } from "./patch-errors.js";

/** Members of a strategic merge patch that control how to merge. */
export const patchDirective = "$patch";
export const retainKeysDirective = "$retainKeys";
export const deleteFromListPrefix = "$deleteFromPrimitiveList";
export const elementOrderPrefix = "$setElementOrder";

export const badDeleteList = "invalid patch format of primitive list";
export const badRetainKeys = "invalid patch format of retainKeys";
export const badElementOrder = "invalid patch format of setElementOrder list";

/** The list that a parallel list such as "$setElementOrder/containers" is about. */
export function listNameOf(key: string, prefix: string): string {
  const slash = key.indexOf("/");
  if (slash < 0 || key.slice(0, slash) !== prefix)
    throw malformedPatch(prefix === deleteFromListPrefix ? badDeleteList : badElementOrder);
  return key.slice(slash + 1);
}

/** What an object with `$patch` stands for. */
export function followDirective(directive: unknown, patch: JsonObject): JsonObject {
  if (directive === "replace") {
    const { [patchDirective]: _, ...rest } = patch;
    return rest;
  }
  if (directive === "delete") return {};
  throw unknownPatchType(directive, patch);
}

export const unknownPatchType = (directive: unknown, patch: JsonObject): Error =>
  unmergeable(
    `unknown patch type: ${typeof directive === "string" ? directive : `%!s(${goText(directive)})`} in map: ${goText(patch)}`,
  );

/** The value without any object that has `$patch`; undefined if it is one itself. Shares what has none. */
export function withoutDirectives(value: unknown): unknown {
  if (isList(value)) {
    const items = value.map(withoutDirectives);
    if (items.every((item, index) => item === value[index])) return value;
    return items.filter((item) => item !== undefined);
  }
  if (!isObject(value)) return value;
  if (getOwn<unknown>(value, patchDirective) !== undefined) return undefined;
  const out: Record<string, unknown> = {};
  let changed = false;
  for (const [key, member] of ownEntries<unknown>(value)) {
    const kept = withoutDirectives(member);
    if (kept !== member) changed = true;
    if (kept !== undefined) setOwn(out, key, kept);
  }
  return changed ? out : value;
}
