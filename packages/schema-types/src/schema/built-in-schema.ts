import type { JSONSchemaProps } from "@coxswain/api/apiextensions/v1";
import { setOwn } from "@coxswain/apimachinery/own";
import { type FieldNode, type SchemaNode, type TypeCode, typeCodes } from "@coxswain/apimachinery/schema";
import { scalarSchemas } from "../shapes/built-in-names.js";
import { SourceError, type SourcePlace } from "../syntax/source-place.js";
import { conditionLimits, conditionType } from "./condition-limits.js";

const leaves = new Map<TypeCode, JSONSchemaProps>([
  [typeCodes.string, { type: "string" }],
  [typeCodes.bool, { type: "boolean" }],
  [typeCodes.int32, { type: "integer", format: "int32" }],
  [typeCodes.int64, { type: "integer", format: "int64" }],
  [typeCodes.uint32, { type: "integer", format: "int32" }],
  [typeCodes.float64, { type: "number" }],
  [typeCodes.bytes, scalarSchemas["Base64"]!],
  [typeCodes.quantity, scalarSchemas["Quantity"]!],
  [typeCodes.time, scalarSchemas["Time"]!],
  [typeCodes.microTime, scalarSchemas["MicroTime"]!],
  [typeCodes.duration, scalarSchemas["Duration"]!],
  [typeCodes.intOrString, scalarSchemas["IntOrString"]!],
  [typeCodes.rawExtension, scalarSchemas["RawExtension"]!],
  [typeCodes.fieldsV1, { type: "object" }],
  [typeCodes.json, scalarSchemas["JsonValue"]!],
  [typeCodes.wrappedStringList, { type: "array", items: { type: "string" } }],
]);

const objectMeta = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

/**
 * The schema of a type of Kubernetes inside a custom resource, written out in full: a structural schema has no references.
 * Enumerations are left open and metadata unspecified, as controller-gen leaves them: an older definition then accepts a newer value.
 */
export function builtInSchema(type: SchemaNode, place: SourcePlace, inside: readonly string[] = []): JSONSchemaProps {
  if (type.name === objectMeta) return { type: "object" };
  const leaf = leaves.get(type.code);
  if (leaf) return structuredClone(leaf);
  if (type.code === typeCodes.list || type.code === typeCodes.map) {
    const element = builtInSchema(type.element!, place, inside);
    return type.code === typeCodes.list ? listSchema(type, element) : mapSchema(type, element);
  }
  if (type.code !== typeCodes.struct || inside.includes(type.name))
    throw new SourceError(place, `${type.name || "this type"} contains itself, which a schema cannot describe`);
  return structSchema(type, place, [...inside, type.name]);
}

function listSchema(type: SchemaNode, items: JSONSchemaProps): JSONSchemaProps {
  return {
    type: "array",
    items,
    ...(type.listKeys.length > 0 ? { "x-kubernetes-list-map-keys": [...type.listKeys] } : {}),
    ...(type.applyType === "" ? {} : { "x-kubernetes-list-type": type.applyType }),
  };
}

function mapSchema(type: SchemaNode, additionalProperties: JSONSchemaProps): JSONSchemaProps {
  return {
    type: "object",
    additionalProperties,
    ...(type.applyType === "" ? {} : { "x-kubernetes-map-type": type.applyType }),
  };
}

function structSchema(type: SchemaNode, place: SourcePlace, inside: readonly string[]): JSONSchemaProps {
  const schema: JSONSchemaProps = { type: "object" };
  const properties: Record<string, JSONSchemaProps> = {};
  const limits = type.name === conditionType ? conditionLimits : undefined;
  for (const field of type.fields)
    setOwn(properties, field.name, { ...fieldSchema(field, place, inside), ...limits?.get(field.name) });
  if (type.fields.length > 0) schema.properties = properties;
  const required = type.fields.filter((field) => field.required).map((field) => field.name);
  if (required.length > 0) schema.required = required.sort();
  // A struct inherits the word of one that it inlines (ConfigMapEnvSource that of LocalObjectReference).
  const inlined = type.message.map(({ inline }) => inline?.applyType ?? "").find((word) => word !== "");
  const applyType = type.applyType || inlined;
  if (applyType) schema["x-kubernetes-map-type"] = applyType;
  return schema;
}

function fieldSchema(field: FieldNode, place: SourcePlace, inside: readonly string[]): JSONSchemaProps {
  const schema = builtInSchema(field.type, place, inside);
  if (field.defaultValue !== undefined) schema.default = field.defaultValue as JSONSchemaProps["default"] & {};
  return schema;
}
