import { type SchemaNode, typeCodes } from "@coxswain/apimachinery/schema";
import type { Json, JsonObject } from "../record/index.js";
import type { Change } from "./change.js";
import { elementOf, oddValues, wrongTypes } from "./odd-values.js";

/** What the server writes itself, or what would have to name another object that exists. */
const left = new Set([
  "kind",
  "apiVersion",
  "metadata",
  "metadata.managedFields",
  "metadata.uid",
  "metadata.resourceVersion",
  "metadata.selfLink",
  "metadata.creationTimestamp",
  "metadata.deletionTimestamp",
  "metadata.generateName",
]);

/** Paths without indices. */
export interface Limits {
  /** Left alone. */
  readonly skip: readonly string[];
  /** Lists of which every item is changed; of others the first two. */
  readonly whole: readonly string[];
}

/** Every single change to the object that is worth a try, in the order of its type. */
export function changesOf(object: Json, node: SchemaNode, limits: Limits = { skip: [], whole: [] }): Change[] {
  const found: Change[] = [];
  visit(object, node, [], found, limits);
  return found;
}

const plain = (path: readonly (string | number)[]): string => path.filter((part) => typeof part === "string").join(".");

function visit(
  value: Json | undefined,
  node: SchemaNode,
  path: readonly (string | number)[],
  found: Change[],
  limits: Limits,
): void {
  const name = plain(path);
  if (limits.skip.includes(name) || limits.skip.includes(`*.${path.at(-1) ?? ""}`)) return;
  if (path.length > 0 && !left.has(name)) changesAt(value, node, path, found);
  if (node.code === typeCodes.struct && (path.length === 0 || value !== undefined)) {
    found.push({ path: [...path, "bogus"], value: "x", about: "unknown" });
  }
  if (value === undefined || value === null || typeof value !== "object") return;
  if (node.code === typeCodes.struct) {
    for (const field of node.fields)
      visit(memberOf(value as JsonObject, field.name), field.type, [...path, field.name], found, limits);
  } else if (node.code === typeCodes.list && Array.isArray(value)) {
    for (const [at, item] of value.slice(0, limits.whole.includes(name) ? undefined : 2).entries())
      visit(item as Json, elementOf(node), [...path, at], found, limits);
  } else if (node.code === typeCodes.map) {
    for (const [key, item] of Object.entries(value).slice(0, 2))
      visit(item as Json, elementOf(node), [...path, key], found, limits);
  }
}

function changesAt(
  value: Json | undefined,
  node: SchemaNode,
  path: readonly (string | number)[],
  found: Change[],
): void {
  const was = JSON.stringify(value);
  for (const odd of oddValues(node)) if (JSON.stringify(odd) !== was) found.push({ path, value: odd, about: "value" });
  for (const wrong of wrongTypes(node)) found.push({ path, value: wrong, about: "type" });
  found.push({ path, value: null, about: "type" });
  if (value === undefined) return;
  found.push({ path, about: "gone" });
  if (Array.isArray(value) && value.length > 0)
    found.push({ path, value: [...(value as readonly Json[]), value[0] as Json], about: "value" });
  if (typeof path.at(-1) === "string") found.push({ path, value, twice: true, about: "unknown" });
}

const memberOf = (value: JsonObject, name: string): Json | undefined =>
  Object.hasOwn(value, name) ? value[name] : undefined;
