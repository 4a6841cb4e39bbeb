import { setOwn } from "@coxswain/apimachinery/own";
import { type FieldNode, type SchemaNode, typeCodes } from "@coxswain/apimachinery/schema";
import { leafTypeOf } from "./leaf-types.js";
import type { Dialect, OpenAPISchema } from "./openapi-schema.js";

const scalars = new Map<number, { schema: OpenAPISchema; zero: unknown }>([
  [typeCodes.string, { schema: { type: "string" }, zero: "" }],
  [typeCodes.bool, { schema: { type: "boolean" }, zero: false }],
  [typeCodes.int32, { schema: { type: "integer", format: "int32" }, zero: 0 }],
  [typeCodes.int64, { schema: { type: "integer", format: "int64" }, zero: 0 }],
  [typeCodes.uint32, { schema: { type: "integer", format: "int64" }, zero: 0 }],
  [typeCodes.float64, { schema: { type: "number", format: "double" }, zero: 0 }],
]);

/**
 * The schema of a struct. Members that Go holds by value get a `default` of their zero value, as upstream's generator gives (k8s.io/kube-openapi/pkg/generators/openapi.go, generateDefault)
 * them: it is no default in the sense of the API.
 */
export function structSchema(node: SchemaNode, dialect: Dialect): OpenAPISchema {
  const schema: OpenAPISchema = {};
  const description = dialect.describe(node.name);
  if (description !== undefined) schema.description = description;
  schema.type = "object";
  const required = node.fields.filter((field) => field.required).map((field) => field.name);
  if (required.length > 0) schema.required = required;
  if (node.fields.length > 0) {
    schema.properties = {};
    const sorted = [...node.fields].sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const field of sorted) setOwn(schema.properties, field.name, fieldSchema(node, field, dialect));
  }
  if (node.applyType !== "") schema["x-kubernetes-map-type"] = node.applyType;
  if (node.unions.length > 0) schema["x-kubernetes-unions"] = node.unions.map(unionExtension);
  return schema;
}

function unionExtension({ discriminator, members }: SchemaNode["unions"][number]): Record<string, unknown> {
  const fields = [...members].sort((a, b) => (a.field < b.field ? -1 : 1)).map(({ field, goName }) => [field, goName]);
  return { ...(discriminator === "" ? {} : { discriminator }), "fields-to-discriminateBy": Object.fromEntries(fields) };
}

function fieldSchema(parent: SchemaNode, field: FieldNode, dialect: Dialect): OpenAPISchema {
  const fallback = field.defaultValue ?? (field.pointer ? undefined : zeroValue(field.type, field.omitEmpty));
  const extensions: [`x-kubernetes-${string}`, unknown][] = [];
  const { type } = field;
  if (type.listKeys.length > 0) extensions.push(["x-kubernetes-list-map-keys", type.listKeys]);
  if (type.applyType !== "") {
    if (type.code === typeCodes.list) extensions.push(["x-kubernetes-list-type", type.applyType]);
    // A struct's own word stands on its schema; here only a word of this member's.
    else if (type.code === typeCodes.map || type.applyType === "granular")
      extensions.push(["x-kubernetes-map-type", type.applyType]);
  }
  // Bytes are no list, yet this one is marked as such upstream.
  if (field.name === "caBundle" && parent.name.endsWith(".v1.APIServiceSpec"))
    extensions.push(["x-kubernetes-list-type", "atomic"]);
  if (field.patchMergeKey !== "") extensions.push(["x-kubernetes-patch-merge-key", field.patchMergeKey]);
  if (field.patchStrategy.length > 0) extensions.push(["x-kubernetes-patch-strategy", field.patchStrategy.join(",")]);
  return useSchema(
    type,
    { description: dialect.describe(parent.name, field.name), default: fallback, extensions },
    dialect,
  );
}

interface Use {
  readonly description?: string | undefined;
  readonly default?: unknown;
  readonly extensions?: readonly [`x-kubernetes-${string}`, unknown][];
}

/** A type where it is used: written out, or referred to. */
function useSchema(type: SchemaNode, use: Use, dialect: Dialect): OpenAPISchema {
  const schema: OpenAPISchema = {};
  const name = type.code === typeCodes.struct ? type.name : leafTypeOf(type.code)?.name;
  if (name !== undefined && !dialect.v3) schema.$ref = dialect.refPrefix + name;
  if (use.description !== undefined) schema.description = use.description;
  const scalar = scalars.get(type.code);
  if (scalar) Object.assign(schema, scalar.schema);
  else if (type.code === typeCodes.bytes) Object.assign(schema, { type: "string", format: "byte" });
  else if (name === undefined) schema.type = type.code === typeCodes.map ? "object" : "array";
  if (dialect.v3 && use.default !== undefined) schema.default = use.default;
  if (type.enumValues && type.enumValues.length > 0) schema.enum = type.enumValues;
  if (type.code === typeCodes.list) schema.items = elementSchema(type, dialect);
  else if (type.code === typeCodes.wrappedStringList)
    schema.items = { type: "string", ...(dialect.v3 ? { default: "" } : {}) };
  else if (type.code === typeCodes.map) schema.additionalProperties = elementSchema(type, dialect);
  for (const [extension, value] of use.extensions ?? []) schema[extension] = value;
  if (name === undefined || !dialect.v3) return schema;
  const reference: OpenAPISchema = { $ref: dialect.refPrefix + name };
  const { description, default: fallback, ...extensions } = schema;
  if (Object.keys(schema).length === 0) return reference;
  return {
    ...(description === undefined ? {} : { description }),
    ...(fallback === undefined ? {} : { default: fallback }),
    allOf: [reference],
    ...extensions,
  };
}

function elementSchema(type: SchemaNode, dialect: Dialect): OpenAPISchema {
  const element = type.element!;
  return useSchema(element, { default: type.elementPointer ? undefined : zeroValue(element, false) }, dialect);
}

/** Lists, maps and types with a JSON form of their own are null when empty, so they get none. */
function zeroValue(type: SchemaNode, omitEmpty: boolean): unknown {
  if (type.code === typeCodes.struct) return {};
  return omitEmpty ? undefined : scalars.get(type.code)?.zero;
}
