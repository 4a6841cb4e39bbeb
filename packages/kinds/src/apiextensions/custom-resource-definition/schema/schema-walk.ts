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
  return test(schema) || innerSchemas(schema).some((inner) => hasSchema(inner, test));
}

const innerSchemas = (schema: Schema): (Schema | undefined)[] => [
  itemsOf(schema),
  ...listOfItems(schema),
  ...(schema.allOf ?? []),
  ...(schema.anyOf ?? []),
  ...(schema.oneOf ?? []),
  schema.not,
  ...Object.values(schema.properties ?? {}),
  additionalOf(schema),
  ...Object.values(schema.patternProperties ?? {}),
  isSchema(schema.additionalItems) ? schema.additionalItems : undefined,
  ...Object.values(schema.definitions ?? {}),
  ...Object.values(schema.dependencies ?? {}).map((one) => (isSchema(one) ? one : undefined)),
];

export const dependencySchemas = ({ dependencies }: Schema): [name: string, schema: Schema][] =>
  Object.entries(dependencies ?? {}).flatMap(([name, one]) => (isSchema(one) ? [[name, one] as [string, Schema]] : []));
