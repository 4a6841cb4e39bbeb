import type { JSONSchemaProps } from "@coxswain/api/apiextensions/v1";
import { setOwn } from "@coxswain/apimachinery/own";
import type { Shape } from "../shapes/shape.js";
import { SourceError } from "../syntax/source-place.js";

/**
 * A union of objects: the members of all alternatives on one object, and below `oneOf` what each alternative demands:
 * the value of its discriminator, the members it must have, and those it may not have (`b?: never`). Where nothing keeps
 * two alternatives apart, both may hold at once, as in TypeScript: that is `anyOf`.
 */
export function objectUnionSchema(
  shape: Shape,
  alternatives: readonly Shape[],
  schemaOf: (shape: Shape) => JSONSchemaProps,
): JSONSchemaProps {
  const schemas = alternatives.map(schemaOf);
  if (schemas.some((schema) => schema.properties === undefined && schema.additionalProperties !== undefined))
    throw new SourceError(shape.place, "a map cannot be part of a union of objects");
  const names = [...new Set(schemas.flatMap((schema) => Object.keys(schema.properties ?? {})))];
  const properties: Record<string, JSONSchemaProps> = {};
  for (const name of names) setOwn(properties, name, mergedProperty(shape, name, schemas));
  const common = names.filter((name) => schemas.every((schema) => schema.required?.includes(name)));
  const demands = alternatives.map((alternative, index) => demandsOf(alternative, schemas[index]!, properties, common));
  const merged: JSONSchemaProps = { type: "object" };
  if (names.length > 0) merged.properties = properties;
  if (common.length > 0) merged.required = common.sort();
  if (demands.every((demand) => Object.keys(demand).length === 0)) return merged;
  merged[areApart(demands) ? "oneOf" : "anyOf"] = demands;
  return merged;
}

function mergedProperty(shape: Shape, name: string, schemas: readonly JSONSchemaProps[]): JSONSchemaProps {
  const found = schemas.flatMap((schema) => schema.properties?.[name] ?? []);
  const texts = new Set(found.map(bareText));
  const [first] = found;
  if (texts.size === 1) return structuredClone(first!);
  if (found.every(({ type, enum: values }) => type === first!.type && values !== undefined))
    return { ...structuredClone(first!), enum: [...new Set(found.flatMap(({ enum: values }) => values ?? []))] };
  throw new SourceError(
    shape.place,
    `the member "${name}" has different types in the alternatives of this union, which a schema cannot describe`,
  );
}

/** Without what may differ: words. */
const bareText = (schema: JSONSchemaProps): string => JSON.stringify({ ...schema, description: undefined });

function demandsOf(
  alternative: Shape,
  schema: JSONSchemaProps,
  merged: Readonly<Record<string, JSONSchemaProps>>,
  common: readonly string[],
): JSONSchemaProps {
  const demand: JSONSchemaProps = {};
  for (const [name, { enum: values }] of Object.entries(schema.properties ?? {}))
    if (values !== undefined && values.length < (merged[name]?.enum?.length ?? 0))
      demand.properties = { ...demand.properties, [name]: { enum: values } };
  const required = (schema.required ?? []).filter((name) => !common.includes(name));
  if (required.length > 0) demand.required = required;
  const members = alternative.is === "object" ? alternative.members : [];
  const never = members.filter((member) => ["never", "undefined"].includes(member.shape().is)).map(({ name }) => name);
  const absent = never.map((name) => ({ required: [name] }));
  if (absent.length === 1) demand.not = absent[0]!;
  else if (absent.length > 1) demand.not = { anyOf: absent };
  return demand;
}

/** Whether no two can hold at once: by disjoint values of one member, or since one forbids what the other demands. */
function areApart(demands: readonly JSONSchemaProps[]): boolean {
  return demands.every((a, index) =>
    demands.slice(index + 1).every((b) => differ(a, b) || forbids(a, b) || forbids(b, a)),
  );
}

function differ(a: JSONSchemaProps, b: JSONSchemaProps): boolean {
  return Object.entries(a.properties ?? {}).some(([name, { enum: values }]) => {
    const others = b.properties?.[name]?.enum;
    return values !== undefined && others !== undefined && !values.some((value) => others.includes(value));
  });
}

function forbids(a: JSONSchemaProps, b: JSONSchemaProps): boolean {
  const absent = [...(a.not?.required ?? []), ...(a.not?.anyOf ?? []).flatMap(({ required }) => required ?? [])];
  return absent.some((name) => b.required?.includes(name));
}
