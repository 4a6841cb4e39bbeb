import { append } from "../append/index.js";
import { childOf, duplicate, type FieldError, FieldPath, invalid } from "../field/index.js";
import { stringifyJson } from "../json/encode.js";
import { getOwn, setOwn } from "../own/index.js";
import { isList, isObject, type JsonObject } from "../patch/json-value.js";
import { sortedMembers } from "./sorted-members.js";
import type { Structural } from "./structural.js";

/** Lists that are sets hold nothing twice, and lists that are maps no key twice. Each is reported at its second appearance. */
export function validateListTypes(object: JsonObject, schema: Structural, path?: FieldPath): FieldError[] {
  const { properties, additionalProperties } = schema;
  return Object.keys(object).flatMap((name) => {
    const value = getOwn<unknown>(object, name);
    const own = properties.get(name);
    if (own) return validateValue(value, own, childOf(path, name));
    return typeof additionalProperties === "object"
      ? validateValue(value, additionalProperties, path ? path.key(name) : FieldPath.of(name))
      : [];
  });
}

function validateValue(value: unknown, schema: Structural, path: FieldPath): FieldError[] {
  if (isObject(value)) return validateListTypes(value, schema, path);
  if (!isList(value)) return [];
  const errors: FieldError[] = [];
  if (schema.listType === "set")
    append(
      errors,
      secondAppearances(value).map((index) => duplicate(path.index(index), sortedMembers(value[index]))),
    );
  if (schema.listType === "map") append(errors, validateMap(value, schema.listKeys, path));
  const { items } = schema;
  if (items) for (const [index, item] of value.entries()) append(errors, validateValue(item, items, path.index(index)));
  return errors;
}

function validateMap(list: readonly unknown[], keys: readonly string[], path: FieldPath): FieldError[] {
  const wrong = list.findIndex((item) => item !== null && !isObject(item));
  if (wrong >= 0)
    return [invalid(path.index(wrong), sortedMembers(list[wrong]), "must be an object for an array of list-type map")];
  const identities = list.map((item) => keysOf(isObject(item) ? item : {}, keys));
  return secondAppearances(identities).map((index) => duplicate(path.index(index), sortedMembers(identities[index])));
}

function keysOf(item: JsonObject, keys: readonly string[]): JsonObject {
  const out: Record<string, unknown> = {};
  for (const key of keys) {
    const value = getOwn<unknown>(item, key);
    if (value !== undefined) setOwn(out, key, value);
  }
  return out;
}

function secondAppearances(items: readonly unknown[]): number[] {
  const times = new Map<string, number>();
  const found: number[] = [];
  items.forEach((item, index) => {
    // A text and anything else never collide: their JSON differs in the first character.
    const text = typeof item === "string" ? `"${item}` : stringifyJson(sortedMembers(item));
    const before = times.get(text) ?? 0;
    times.set(text, before + 1);
    if (before === 1) found.push(index);
  });
  return found;
}
