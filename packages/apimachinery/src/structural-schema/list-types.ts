import { runAtOnce, type Steps } from "@coxswain/runtime/steps";
import { append } from "../append/index.js";
import { childOf, duplicate, type FieldError, FieldPath, invalid } from "../field/index.js";
import { stringifyJson } from "../json/encode.js";
import { getOwn, setOwn } from "../own/index.js";
import { isList, isObject, type JsonObject } from "../patch/json-value.js";
import { hasUniqueItems } from "./schema-has.js";
import { sortedMembers } from "./sorted-members.js";
import { memberSchema, type Structural } from "./structural.js";

/** What comparing one item takes. */
const itemMicros = 1;

/** Lists that are sets hold nothing twice, and lists that are maps no key twice. Each is reported at its second appearance. */
export const validateListTypes = (object: JsonObject, schema: Structural): FieldError[] =>
  runAtOnce(validateListTypesInSteps(object, schema));

export const validateListTypesInSteps = (object: JsonObject, schema: Structural): Steps<FieldError[]> =>
  validateMembers(object, schema, undefined);

function* validateMembers(object: JsonObject, schema: Structural, path: FieldPath | undefined): Steps<FieldError[]> {
  const errors: FieldError[] = [];
  for (const name of Object.keys(object)) {
    const inner = memberSchema(schema, name);
    const value = getOwn<unknown>(object, name);
    if (typeof value !== "object" || inner === undefined || !hasUniqueItems(inner)) continue;
    const isNamed = schema.properties.has(name) || path === undefined;
    append(errors, yield* validateValue(value, inner, isNamed ? childOf(path, name) : path.key(name)));
    yield itemMicros;
  }
  return errors;
}

function* validateValue(value: unknown, schema: Structural, path: FieldPath): Steps<FieldError[]> {
  if (isObject(value)) return yield* validateMembers(value, schema, path);
  if (!isList(value)) return [];
  const errors: FieldError[] = [];
  if (schema.listType === "set")
    for (const index of yield* secondAppearances(value))
      errors.push(duplicate(path.index(index), sortedMembers(value[index])));
  if (schema.listType === "map") append(errors, yield* validateMap(value, schema.listKeys, path));
  const { items } = schema;
  if (!items || !hasUniqueItems(items)) return errors;
  for (const [index, item] of value.entries()) {
    if (typeof item === "object") append(errors, yield* validateValue(item, items, path.index(index)));
    yield itemMicros;
  }
  return errors;
}

function* validateMap(list: readonly unknown[], keys: readonly string[], path: FieldPath): Steps<FieldError[]> {
  const wrong = list.findIndex((item) => item !== null && !isObject(item));
  if (wrong >= 0)
    return [invalid(path.index(wrong), sortedMembers(list[wrong]), "must be an object for an array of list-type map")];
  const identities: JsonObject[] = [];
  for (const item of list) {
    identities.push(keysOf(isObject(item) ? item : {}, keys));
    yield itemMicros;
  }
  const errors: FieldError[] = [];
  for (const index of yield* secondAppearances(identities))
    errors.push(duplicate(path.index(index), sortedMembers(identities[index])));
  return errors;
}

function keysOf(item: JsonObject, keys: readonly string[]): JsonObject {
  const out: Record<string, unknown> = {};
  for (const key of keys) {
    const value = getOwn<unknown>(item, key);
    if (value !== undefined) setOwn(out, key, value);
  }
  return out;
}

function* secondAppearances(items: readonly unknown[]): Steps<number[]> {
  const times = new Map<string, number>();
  const found: number[] = [];
  for (const [index, item] of items.entries()) {
    // A text and anything else never collide: their JSON differs in the first character.
    const text = typeof item === "string" ? `"${item}` : stringifyJson(sortedMembers(item));
    const before = times.get(text) ?? 0;
    times.set(text, before + 1);
    if (before === 1) found.push(index);
    yield itemMicros;
  }
  return found;
}
