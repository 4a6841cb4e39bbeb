import { getOwn, setOwn } from "@coxswain/apimachinery/own";
import type { OpenAPISchema } from "./openapi-schema.js";
import { orderSchema } from "./schema-order.js";

/** A schema as a CustomResourceDefinition has it, as far as it is looked into here. */
export interface JSONSchemaProps extends Readonly<Record<string, unknown>> {
  readonly type?: string;
  readonly nullable?: boolean;
  readonly items?: JSONSchemaProps;
  readonly properties?: Readonly<Record<string, JSONSchemaProps>>;
  readonly additionalProperties?: JSONSchemaProps | boolean;
  readonly required?: readonly string[];
  readonly anyOf?: readonly JSONSchemaProps[];
  readonly allOf?: readonly JSONSchemaProps[];
}

/** Members of an embedded object that its schema need not name. */
type EmbeddedMembers = Readonly<Record<string, OpenAPISchema>>;

/**
 * What of a structural schema is published, for OpenAPI 3: all of it, with "integer or string" spelled out and what an embedded
 * object has beyond its schema added.
 */
export function publishSchema(schema: JSONSchemaProps, embedded: EmbeddedMembers): OpenAPISchema {
  const published = publishChildren(unfoldIntOrString(schema), (child) => publishSchema(child, embedded));
  return orderSchema(schema["x-kubernetes-embedded-resource"] === true ? embed(published, embedded) : published);
}

/**
 * For OpenAPI 2, whose readers (kubectl's among them) stumble over much: no combinators, no defaults, no type where null or
 * unknown members are allowed.
 */
export function publishSchemaV2(schema: JSONSchemaProps, embedded: EmbeddedMembers): OpenAPISchema {
  const { default: _default, nullable, allOf: _allOf, oneOf: _oneOf, anyOf: _anyOf, not: _not, ...kept } = schema;
  const keepsUnknown = schema["x-kubernetes-preserve-unknown-fields"] === true;
  const opaque = nullable === true || keepsUnknown;
  const { items, properties, type, required, ...rest } = kept as JSONSchemaProps;
  const untyped = nullable === true || (type === "array" && (opaque || !items)) || (type === "object" && keepsUnknown);
  const { additionalProperties } = schema;
  const anyNullable = typeof additionalProperties === "object" && additionalProperties.nullable === true;
  const demanded = anyNullable
    ? []
    : (required ?? []).filter((name) => opaque || getOwn(properties, name)?.nullable !== true);
  const simple: JSONSchemaProps = {
    ...rest,
    ...(type !== undefined && !untyped ? { type } : {}),
    ...(demanded.length > 0 ? { required: demanded } : {}),
    ...(items && !opaque ? { items } : {}),
    ...(properties && !opaque ? { properties } : {}),
  };
  const published = publishChildren(simple, (child) => publishSchemaV2(child, embedded));
  return orderSchema(
    schema["x-kubernetes-embedded-resource"] === true && !keepsUnknown ? embed(published, embedded) : published,
  );
}

function publishChildren(
  { items, properties, additionalProperties, ...rest }: JSONSchemaProps,
  publish: (child: JSONSchemaProps) => OpenAPISchema,
): OpenAPISchema {
  const published = asDoubles(rest) as Record<string, unknown>;
  if (items) published["items"] = publish(items);
  if (typeof additionalProperties === "object") published["additionalProperties"] = publish(additionalProperties);
  else if (additionalProperties !== undefined) published["additionalProperties"] = additionalProperties;
  const entries = Object.entries(properties ?? {});
  if (entries.length > 0) {
    const members = {};
    for (const [name, child] of entries) setOwn(members, name, publish(child));
    published["properties"] = members;
  }
  return published;
}

/**
 * A copy whose integers are doubles, as in upstream's documents (`maximum` of JSONSchemaProps is a float64): definitions keep integers
 * that no double has, which neither JSON.stringify nor gnostic's protobuf takes.
 */
function asDoubles(value: unknown): unknown {
  if (typeof value === "bigint") return Number(value);
  if (Array.isArray(value)) return value.map(asDoubles);
  if (typeof value !== "object" || value === null) return value;
  const copy = {};
  for (const [name, member] of Object.entries(value)) setOwn(copy, name, asDoubles(member));
  return copy;
}

function embed(schema: OpenAPISchema, members: EmbeddedMembers): OpenAPISchema {
  const required = [...(schema.required ?? [])];
  for (const name of ["kind", "apiVersion"]) if (!required.includes(name)) required.push(name);
  return { ...schema, required, properties: { ...schema.properties, ...members } };
}

const integerOrString = [{ type: "integer" }, { type: "string" }];

function unfoldIntOrString(schema: JSONSchemaProps): JSONSchemaProps {
  if (schema["x-kubernetes-int-or-string"] !== true) return schema;
  if (isIntegerOrString(schema.anyOf) || isIntegerOrString(schema.allOf?.[0]?.anyOf)) return schema;
  if (schema.anyOf === undefined) return { ...schema, anyOf: integerOrString };
  return { ...schema, allOf: [{ anyOf: integerOrString }, ...(schema.allOf ?? [])] };
}

const isIntegerOrString = (schemas: readonly JSONSchemaProps[] | undefined): boolean =>
  schemas?.length === 2 && schemas[0]?.type === "integer" && schemas[1]?.type === "string";
