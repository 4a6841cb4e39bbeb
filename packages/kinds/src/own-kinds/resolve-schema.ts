import { getOwn, ownEntries, setOwn } from "@coxswain/apimachinery/own";
import { isObject, type JsonObject } from "@coxswain/apimachinery/structural-schema";
import type { ApiSchema } from "./api-kind.js";

/** A schema whose references are followed. */
export interface ResolvedSchema {
  /** Without references. */
  readonly schema: JsonObject;
  /** The name in `$defs` of a part of `schema` that was referred to. */
  nameOf(part: JsonObject): string | undefined;
  /** What was referred to, by its name in `$defs`, references as they were written. */
  readonly parts: ReadonlyMap<string, JsonObject>;
}

const prefix = "#/$defs/";

/** Members of a schema that hold a schema, a list of them, or schemas by name. */
const single = new Set(["items", "additionalProperties", "not"]);
const listed = new Set(["allOf", "anyOf", "oneOf"]);

/** Puts in place of every reference what it refers to. Throws where a part is missing or contains itself: structural schemas are trees. */
export function resolveSchema({ $defs = {}, ...root }: ApiSchema): ResolvedSchema {
  const names = new WeakMap<JsonObject, string>();
  const parts = new Map<string, JsonObject>();

  function resolve(value: unknown, inside: readonly string[]): unknown {
    if (!isObject(value)) return value;
    const reference = getOwn<unknown>(value, "$ref");
    return typeof reference === "string"
      ? follow(reference, value, inside)
      : eachSchema(value, (child) => resolve(child, inside));
  }

  function follow(reference: string, at: JsonObject, inside: readonly string[]): JsonObject {
    const { $ref: _, ...own } = at;
    const name = reference.startsWith(prefix) ? reference.slice(prefix.length) : "";
    const part = getOwn<unknown>($defs as JsonObject, name);
    if (!isObject(part)) throw new Error(`${reference} leads nowhere: a reference has the form ${prefix}Name`);
    if (inside.includes(name)) throw new Error(`${[...inside, name].join(" → ")} contains itself: a schema is a tree`);
    parts.set(name, part);
    const resolved = { ...(resolve(part, [...inside, name]) as JsonObject), ...own };
    names.set(resolved, name);
    return resolved;
  }

  return { schema: resolve(root, []) as JsonObject, nameOf: (part) => names.get(part), parts };
}

/** A copy of a schema in which every schema directly inside is what `change` makes of it. */
export function eachSchema(schema: JsonObject, change: (inner: unknown) => unknown): JsonObject {
  const copy: Record<string, unknown> = {};
  for (const [name, value] of ownEntries<unknown>(schema)) {
    if (name === "properties" && isObject(value)) {
      const properties: Record<string, unknown> = {};
      for (const [member, inner] of ownEntries<unknown>(value)) setOwn(properties, member, change(inner));
      copy[name] = properties;
    } else if (single.has(name)) copy[name] = change(value);
    else if (listed.has(name) && Array.isArray(value)) copy[name] = value.map(change);
    else setOwn(copy, name, value);
  }
  return copy;
}
