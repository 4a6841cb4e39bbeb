import type { Json, JsonObject } from "../record/index.js";

/** One change to an object: the member at `path` becomes `value`, or goes when there is none. */
export interface Change {
  readonly path: readonly (string | number)[];
  readonly value?: Json;
  /** The member is written twice, which JSON.stringify would not do. */
  readonly twice?: boolean;
  /** What is odd about it decides which questions are worth asking. */
  readonly about: "value" | "type" | "gone" | "unknown";
}

type Members = Record<string | number, Json>;

const duplicateMark = "\u0001twice";

/** The object with the change in it; parents that are not there are made. */
export function applyChange(object: Json, { path, value, twice }: Change): Json {
  const copy = structuredClone(object) as unknown as Members;
  let at = copy;
  for (const [depth, part] of path.slice(0, -1).entries()) {
    const inner = Object.hasOwn(at, part) ? at[part] : undefined;
    const next = typeof inner === "object" && inner !== null ? inner : typeof path[depth + 1] === "number" ? [] : {};
    at[part] = next as Json;
    at = next as unknown as Members;
  }
  const last = path.at(-1) ?? "";
  if (value !== undefined) at[twice === true ? `${last}${duplicateMark}` : last] = structuredClone(value);
  else if (Array.isArray(at)) at.splice(Number(last), 1);
  else delete at[last];
  return copy as unknown as Json;
}

/** JSON in which a member that was to be written twice is, and numbers are as they were written ("\u0001raw:1.0\u0001"). */
export const textOf = (object: Json): string =>
  JSON.stringify(object)
    .replaceAll(JSON.stringify(duplicateMark).slice(1, -1), "")
    .replaceAll(/"\\u0001raw:([-+.\w]+)\\u0001"/g, "$1");

/** The change as a merge patch: lists are sent whole. */
export function mergePatchOf(object: Json, change: Change): Json {
  const at = change.path.findIndex((part) => typeof part === "number");
  if (at < 0) return nest(change.path as string[], change.value ?? null);
  const list = change.path.slice(0, at) as string[];
  return nest(list, memberAt(applyChange(object, { ...change, twice: false }), list) ?? null);
}

const nest = (path: readonly string[], value: Json): Json =>
  path.reduceRight<Json>((inner, part) => ({ [part]: inner }), value);

export function jsonPatchOf(object: Json, { path, value }: Change): Json {
  const pointer = path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
  if (value === undefined) return [{ op: "remove", path: pointer }];
  return [{ op: memberAt(object, path) === undefined ? "add" : "replace", path: pointer, value }];
}

export function memberAt(object: Json | undefined, path: readonly (string | number)[]): Json | undefined {
  let value = object;
  for (const part of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as JsonObject)[part];
  }
  return value;
}

/** "spec.replicas is -1" */
export function changeText({ path, value, twice, about }: Change): string {
  const shown = JSON.stringify(value);
  const what =
    value === undefined ? "is gone" : `is ${shown.length > 50 ? `${shown.slice(0, 40)}… (${shown.length})` : shown}`;
  return `${path.join(".")} ${what}${twice === true ? ", twice" : ""}${about === "unknown" ? ", which nobody knows" : ""}`;
}
