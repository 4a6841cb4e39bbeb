import { cloneJson } from "../json/clone.js";
import { getOwn, setOwn } from "../own/index.js";
import { isList, isObject, type JsonObject } from "../patch/json-value.js";
import { mapItems, mapMembers } from "./prune.js";
import { memberSchema, type Structural } from "./structural.js";

/** The object with the schema's defaults where members are absent, or null and must not be. Shares what needs none. */
export function applyDefaults(object: JsonObject, schema: Structural): JsonObject {
  return fill(object, schema) as JsonObject;
}

/** Defaults have defaults of their own below them. */
function fill(value: unknown, schema: Structural | undefined): unknown {
  if (schema === undefined) return value;
  if (isList(value)) return mapItems(value, (item) => fill(orDefault(item, schema.items), schema.items));
  if (!isObject(value)) return value;
  let withOwn = value;
  for (const [name, { defaultValue }] of schema.properties) {
    if (defaultValue === undefined || getOwn<unknown>(value, name) !== undefined) continue;
    if (withOwn === value) withOwn = { ...value };
    setOwn(withOwn as Record<string, unknown>, name, cloneJson(defaultValue)); // a change of the object must not change the schema
  }
  return mapMembers(withOwn, (member, name) => {
    const inner = memberSchema(schema, name);
    return fill(orDefault(member, inner), inner);
  });
}

const orDefault = (value: unknown, schema: Structural | undefined): unknown =>
  value === null && schema !== undefined && !schema.nullable ? cloneJson(schema.defaultValue ?? null) : value;

/** The object without members that are null and must not be, but for those that have a default. Null items stay. */
export function dropNulls(object: JsonObject, schema: Structural): JsonObject {
  return drop(object, schema) as JsonObject;
}

function drop(value: unknown, schema: Structural | undefined): unknown {
  if (isList(value)) return mapItems(value, (item) => drop(item, schema?.items));
  if (!isObject(value)) return value;
  return mapMembers(value, (member, name) => {
    const inner = memberSchema(schema, name);
    if (member === null && inner !== undefined && !inner.nullable && inner.defaultValue === undefined) return undefined;
    return drop(member, inner);
  });
}
