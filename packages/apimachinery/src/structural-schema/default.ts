import type { Steps } from "@coxswain/runtime/steps";
import { cloneJson } from "../json/clone.js";
import { stringifyJson } from "../json/encode.js";
import { getOwn, setOwn } from "../own/index.js";
import { isList, isObject, type JsonObject } from "../patch/json-value.js";
import { requestEntityTooLarge } from "../status/index.js";
import { mapItems, mapMembers } from "./prune.js";
import { memberSchema, type Structural, schemaMicros } from "./structural.js";

/** The object with the schema's defaults where members are absent, or null and must not be. Shares what needs none. */
export function applyDefaults(object: JsonObject, schema: Structural): JsonObject {
  return fill(object, schema, { bytes: 0 }) as JsonObject;
}

/**
 * A hundred thousand items of which each gets a thousand defaults fill any memory. What is larger than this cannot be stored in
 * kube-apiserver's etcd anyway, which takes 1.5 MiB.
 */
const mostDefaultBytes = 4 << 20;

/** What of the limit is used up. */
interface Filled {
  bytes: number;
}

interface OwnDefault {
  readonly name: string;
  readonly value: unknown;
  readonly bytes: number;
}

/** The properties that have defaults, by schema: a schema may have thousands that have none, and a list thousands of its objects. */
const known = new WeakMap<Structural, readonly OwnDefault[]>();

function ownDefaults(schema: Structural): readonly OwnDefault[] {
  let own = known.get(schema);
  if (!own) known.set(schema, (own = findDefaults(schema)));
  return own;
}

const findDefaults = ({ properties }: Structural): readonly OwnDefault[] =>
  [...properties].flatMap(([name, { defaultValue: value }]) =>
    value === undefined ? [] : [{ name, value, bytes: name.length + stringifyJson(value).length + 1 }],
  );

/** About how many bytes the defaults add to an object that has nothing yet. Items of lists have none: there are only those that were sent. */
export function* defaultBytes(schema: Structural): Steps<number> {
  let bytes = 0;
  for (const own of ownDefaults(schema)) bytes += own.bytes;
  yield schemaMicros * (1 + schema.properties.size);
  for (const inner of schema.properties.values()) if (inner.properties.size > 0) bytes += yield* defaultBytes(inner);
  return bytes;
}

function count(filled: Filled, bytes: number): void {
  filled.bytes += bytes;
  if (filled.bytes > mostDefaultBytes)
    throw requestEntityTooLarge(`the defaults of its schema make the object larger than ${mostDefaultBytes} bytes`);
}

/** Defaults have defaults of their own below them. */
function fill(value: unknown, schema: Structural | undefined, filled: Filled): unknown {
  if (schema === undefined) return value;
  if (isList(value))
    return mapItems(value, (item) => fill(orDefault(item, schema.items, filled), schema.items, filled));
  if (!isObject(value)) return value;
  let withOwn = value;
  for (const { name, value: own, bytes } of ownDefaults(schema)) {
    if (getOwn<unknown>(value, name) !== undefined) continue;
    count(filled, bytes);
    if (withOwn === value) withOwn = { ...value };
    setOwn(withOwn as Record<string, unknown>, name, cloneJson(own)); // a change of the object must not change the schema
  }
  return mapMembers(withOwn, (member, name) => {
    const inner = memberSchema(schema, name);
    return fill(orDefault(member, inner, filled), inner, filled);
  });
}

function orDefault(value: unknown, schema: Structural | undefined, filled: Filled): unknown {
  if (value !== null || schema === undefined || schema.nullable) return value;
  const own = schema.defaultValue;
  if (own === undefined) return null;
  count(filled, stringifyJson(own).length);
  return cloneJson(own);
}

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
