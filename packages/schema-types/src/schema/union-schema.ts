import type { JSONSchemaProps } from "@coxswain/api/apiextensions/v1";
import { scalarSchemas } from "../shapes/built-in-names.js";
import { alternativesOf, type Shape } from "../shapes/shape.js";
import { SourceError } from "../syntax/source-place.js";
import { objectUnionSchema } from "./object-union-schema.js";

type SchemaOf = (shape: Shape) => JSONSchemaProps;

/**
 * The schema of a union, as far as a structural schema can express it: enumerations, `number | string` (int-or-string),
 * `T | null` (nullable), and objects that differ in their members. Everything else is an error that names the way out.
 */
export function unionSchema(shape: Shape, schemaOf: SchemaOf): JSONSchemaProps {
  const all = alternativesOf(shape).filter(({ is }) => is !== "undefined");
  const alternatives = all.filter(({ is }) => is !== "null");
  if (alternatives.length === 0) throw new SourceError(shape.place, "a value that is always null has no schema");
  const schema = withoutNull(shape, alternatives, schemaOf);
  if (alternatives.length < all.length) schema.nullable = true;
  return schema;
}

function withoutNull(shape: Shape, alternatives: readonly Shape[], schemaOf: SchemaOf): JSONSchemaProps {
  const literals = alternatives.flatMap((alternative) => (alternative.is === "literal" ? [alternative.value] : []));
  const others = alternatives.filter(({ is }) => is !== "literal");
  if (others.length === 0) return enumSchema(shape, literals);
  const objects = others.filter((other) => other.is === "object" || other.is === "built-in");
  if (objects.length === others.length && literals.length === 0)
    return others.length === 1 ? schemaOf(others[0]!) : objectUnionSchema(shape, others, schemaOf);
  const schemas = distinct(others.map(schemaOf));
  const types = new Set([...schemas.map(({ type }) => type ?? ""), ...literals.map((value) => typeof value as string)]);
  // `"a" | "b" | (string & {})`: the texts are a hint for people, any text is allowed.
  if (schemas.length === 1 && types.size === 1) return schemas[0]!;
  const numbers = ["integer", "number"];
  // `Quantity | number`: the one that allows both stands for all.
  const either = schemas.find((schema) => schema["x-kubernetes-int-or-string"] === true);
  if (either && [...types].every((type) => type === "" || type === "string" || numbers.includes(type))) return either;
  if (types.size === 2 && types.has("string") && numbers.some((type) => types.has(type)))
    return structuredClone(scalarSchemas["IntOrString"]!);
  throw new SourceError(
    shape.place,
    "a schema cannot describe this union: it may be of texts, of numbers, number | string, T | null, or of objects; " +
      "use unknown to keep any value",
  );
}

function enumSchema(shape: Shape, values: readonly (string | number | boolean)[]): JSONSchemaProps {
  const types = new Set(values.map((value) => typeof value));
  if (types.size > 1) throw new SourceError(shape.place, "the values of an enumeration are of one type");
  if (types.has("string")) return { type: "string", enum: [...new Set(values)] };
  if (types.has("boolean")) return { type: "boolean", ...(new Set(values).size === 2 ? {} : { enum: [...values] }) };
  return { type: values.every(Number.isInteger) ? "integer" : "number", enum: [...new Set(values)] };
}

function distinct(schemas: readonly JSONSchemaProps[]): JSONSchemaProps[] {
  return [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
}
