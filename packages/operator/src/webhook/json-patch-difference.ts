import { append } from "@coxswain/apimachinery/append";
import { equalJson, isJsonObject } from "@coxswain/apimachinery/json";
import type { JsonPatchOperation } from "@coxswain/client";

/** The JSON Patch (RFC 6902) that makes `after` out of `before`. Lists are compared item by item; their ends are added or removed. */
export function jsonPatchDifference(before: unknown, after: unknown, path = ""): JsonPatchOperation[] {
  if (equalJson(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after)) return ofLists(before, after, path);
  if (isJsonObject(before) && isJsonObject(after)) return ofObjects(before, after, path);
  return [{ op: "replace", path, value: after }];
}

function ofObjects(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
  path: string,
): JsonPatchOperation[] {
  const operations: JsonPatchOperation[] = [];
  for (const name of Object.keys(before))
    if (after[name] === undefined) operations.push({ op: "remove", path: `${path}/${escape(name)}` });
  for (const [name, value] of Object.entries(after)) {
    if (value === undefined) continue;
    const at = `${path}/${escape(name)}`;
    if (Object.hasOwn(before, name) && before[name] !== undefined)
      append(operations, jsonPatchDifference(before[name], value, at));
    else operations.push({ op: "add", path: at, value });
  }
  return operations;
}

function ofLists(before: readonly unknown[], after: readonly unknown[], path: string): JsonPatchOperation[] {
  const operations: JsonPatchOperation[] = [];
  const common = Math.min(before.length, after.length);
  for (let at = 0; at < common; at++) append(operations, jsonPatchDifference(before[at], after[at], `${path}/${at}`));
  // From the end: a removal moves what follows.
  for (let at = before.length - 1; at >= common; at--) operations.push({ op: "remove", path: `${path}/${at}` });
  for (let at = common; at < after.length; at++)
    operations.push({ op: "add", path: `${path}/${at}`, value: after[at] });
  return operations;
}

/** RFC 6901. */
const escape = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");
