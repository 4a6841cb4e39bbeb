import { getOwn, ownEntries } from "../own/index.js";
import { isList, isObject, type JsonObject } from "../patch/json-value.js";
import { isTextFormat } from "./text-formats.js";

/** What a schema asks of values, read once. Members that a definition may not have (`$ref`, `dependencies`, `patternProperties`, …) are not read. */
export interface ValueSchema {
  /** None for any; two for an integer or a text. */
  readonly types: readonly string[];
  readonly nullable: boolean;
  readonly format: string;
  readonly maximum: number | undefined;
  readonly exclusiveMaximum: boolean;
  readonly minimum: number | undefined;
  readonly exclusiveMinimum: boolean;
  readonly multipleOf: number | undefined;
  readonly maxLength: number | undefined;
  readonly minLength: number | undefined;
  readonly pattern: string;
  readonly maxItems: number | undefined;
  readonly minItems: number | undefined;
  readonly maxProperties: number | undefined;
  readonly minProperties: number | undefined;
  readonly required: readonly string[];
  readonly enum: readonly unknown[];
  readonly allOf: readonly ValueSchema[];
  readonly anyOf: readonly ValueSchema[];
  readonly oneOf: readonly ValueSchema[];
  readonly not: ValueSchema | undefined;
  readonly properties: ReadonlyMap<string, ValueSchema>;
  readonly additionalProperties: ValueSchema | boolean | undefined;
  readonly items: ValueSchema | undefined;
}

/**
 * Upstream reads a schema in two ways. For custom resources it drops formats that it does not know, and takes
 * x-kubernetes-int-or-string for two types. For the defaults in a schema it does neither, nor does it see
 * `additionalProperties` inside of allOf and its like.
 */
export type SchemaReading = "resource" | "default";

const maxDepth = 1_000;

/** Reads `openAPIV3Schema`, or a part of one. */
export const readValueSchema = (schema: unknown, reading: SchemaReading): ValueSchema =>
  read(schema, { reading, nested: false, depth: 0 });

interface Place {
  readonly reading: SchemaReading;
  /** Inside of allOf, anyOf, oneOf or not. */
  readonly nested: boolean;
  readonly depth: number;
}

function read(schema: unknown, place: Place): ValueSchema {
  if (place.depth > maxDepth) throw new Error("the schema is nested too deeply");
  const source = isObject(schema) ? schema : {};
  const below = { ...place, depth: place.depth + 1 };
  const number = (name: string): number | undefined => {
    const value = getOwn<unknown>(source, name);
    return typeof value === "number" || typeof value === "bigint" ? Number(value) : undefined;
  };
  const flag = (name: string): boolean => getOwn<unknown>(source, name) === true;
  const list = (name: string): readonly unknown[] => listOf(getOwn<unknown>(source, name));
  const junctor = (name: string): ValueSchema[] => list(name).map((inner) => read(inner, { ...below, nested: true }));
  const [not, properties, items] = ["not", "properties", "items"].map((name) => getOwn<unknown>(source, name));
  const types = typesOf(source, place.reading);
  return {
    types,
    nullable: flag("nullable"),
    format: formatOf(textOf(source, "format"), types, place.reading),
    maximum: number("maximum"),
    exclusiveMaximum: flag("exclusiveMaximum"),
    minimum: number("minimum"),
    exclusiveMinimum: flag("exclusiveMinimum"),
    multipleOf: number("multipleOf"),
    maxLength: number("maxLength"),
    minLength: number("minLength"),
    pattern: textOf(source, "pattern"),
    maxItems: number("maxItems"),
    minItems: number("minItems"),
    maxProperties: number("maxProperties"),
    minProperties: number("minProperties"),
    required: list("required").filter((name) => typeof name === "string"),
    enum: list("enum"),
    allOf: junctor("allOf"),
    anyOf: junctor("anyOf"),
    oneOf: junctor("oneOf"),
    not: isObject(not) ? read(not, { ...below, nested: true }) : undefined,
    properties: new Map(
      isObject(properties) ? ownEntries<unknown>(properties).map(([name, inner]) => [name, read(inner, below)]) : [],
    ),
    additionalProperties: additionalOf(source, below),
    items: isObject(items) ? read(items, below) : undefined,
  };
}

const listOf = (value: unknown): readonly unknown[] => (isList(value) ? value : []);

function textOf(source: JsonObject, name: string): string {
  const value = getOwn<unknown>(source, name);
  return typeof value === "string" ? value : "";
}

function typesOf(source: JsonObject, reading: SchemaReading): readonly string[] {
  if (reading === "resource" && getOwn<unknown>(source, "x-kubernetes-int-or-string") === true)
    return ["integer", "string"];
  const type = textOf(source, "type");
  return type === "" ? [] : [type];
}

function additionalOf(source: JsonObject, place: Place): ValueSchema["additionalProperties"] {
  const additional = getOwn<unknown>(source, "additionalProperties");
  if (place.nested && place.reading === "default") return undefined;
  if (isObject(additional)) return read(additional, place);
  return typeof additional === "boolean" ? additional : undefined;
}

const formatOf = (format: string, types: readonly string[], reading: SchemaReading): string =>
  reading === "default" || isSupportedFormat(format, types.length === 1 ? (types[0] ?? "") : "") ? format : "";

/** Whether values of the type are checked by the format. */
export function isSupportedFormat(format: string, type: string): boolean {
  if (type === "" || type === "string") return isTextFormat(format);
  if (type === "integer") return format === "int32" || format === "int64";
  return type === "number" && (format === "float" || format === "double");
}
