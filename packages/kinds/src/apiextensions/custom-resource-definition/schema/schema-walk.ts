import type { DeepReadonly } from "@coxswain/api";
import type { JSONSchemaProps } from "@coxswain/api/apiextensions/v1";
import { getOwn } from "@coxswain/apimachinery/own";

export type Schema = DeepReadonly<JSONSchemaProps>;

export const schemaTypes = ["array", "boolean", "integer", "number", "object", "string"];

const isSchema = (value: Schema | readonly string[] | boolean | undefined): value is Schema =>
  typeof value === "object" && !Array.isArray(value);

/** The schema of a list's items. It is an array only where it will be refused. */
export const itemsOf = ({ items }: Schema): Schema | undefined =>
  Array.isArray(items) ? undefined : (items as Schema | undefined);

export const listOfItems = ({ items }: Schema): readonly Schema[] =>
  Array.isArray(items) ? (items as readonly Schema[]) : [];

/** The schema that `additionalProperties` has for values, where it is more than true or false. */
export const additionalOf = ({ additionalProperties }: Schema): Schema | undefined =>
  isSchema(additionalProperties) ? additionalProperties : undefined;

/** Properties may have any name, those of Object's own members too. */
export const propertyOf = ({ properties }: Schema, name: string): Schema | undefined => getOwn(properties, name);

/** Whether the test holds for the schema or one inside it. */
export function hasSchema(schema: Schema | undefined, test: (schema: Schema) => boolean): boolean {
  if (!schema) return false;
  if (test(schema)) return true;
  for (const inner of innerSchemas(schema)) if (hasSchema(inner, test)) return true;
  return false;
}

/** The schemas right inside this one. Most have none: nothing is made for those. */
export function innerSchemas(schema: Schema): readonly Schema[] {
  let found: Schema[] | undefined;
  for (const member of holders) {
    const value = schema[member] as unknown;
    if (value === undefined) continue;
    const all = Array.isArray(value) ? value : named.has(member) ? Object.values(value ?? {}) : [value];
    for (const one of all) if (typeof one === "object" && one !== null && !Array.isArray(one)) (found ??= []).push(one);
  }
  return found ?? none;
}

const none: readonly Schema[] = [];
/** Members whose values are schemas by name; the others are one schema or a list of them. */
const named: ReadonlySet<string> = new Set(["properties", "patternProperties", "definitions", "dependencies"]);
const holders = [
  "items",
  "allOf",
  "anyOf",
  "oneOf",
  "not",
  "properties",
  "additionalProperties",
  "patternProperties",
  "additionalItems",
  "definitions",
  "dependencies",
] as const;

export const dependencySchemas = ({ dependencies }: Schema): [name: string, schema: Schema][] =>
  Object.entries(dependencies ?? {}).flatMap(([name, one]) => (isSchema(one) ? [[name, one] as [string, Schema]] : []));
