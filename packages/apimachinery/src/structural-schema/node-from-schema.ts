import { createNode, type FieldNode, type MutableNode, type SchemaNode, typeCodes } from "../schema/index.js";
import { compareUtf8 } from "../text/utf8-order.js";
import { readStructural, type Structural } from "./structural.js";

export interface NodeOptions {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The type of `metadata`: io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta. */
  readonly objectMeta: SchemaNode;
}

/**
 * The type of a custom resource, from `openAPIV3Schema`: the same linked nodes that built-in types have, so that apply,
 * OpenAPI and the rest do not see a difference. Members are sorted by name, as Go writes custom resources.
 *
 * Caveat: upstream decodes custom resources without their type (a wrong type is a fault of validation, null may be a
 * value): decode them as any JSON, then prune, default and validate.
 */
export function nodeFromStructuralSchema(openAPIV3Schema: unknown, options: NodeOptions): SchemaNode {
  return nodeFromStructural(readStructural(openAPIV3Schema), options);
}

export function nodeFromStructural(schema: Structural, options: NodeOptions): SchemaNode {
  const objectMeta = sortedByName(options.objectMeta, new Map());
  const root = objectNode({ ...schema, embeddedResource: true }, objectMeta);
  root.name = openAPIName(options);
  return root;
}

/** `com.example.stable.v1.CronTab` for CronTab in stable.example.com/v1. */
function openAPIName({ group, version, kind }: NodeOptions): string {
  return [...group.split(".").reverse(), version, kind].filter((part) => part !== "").join(".");
}

function nodeOf(schema: Structural, objectMeta: SchemaNode): SchemaNode {
  if (schema.intOrString) return createNode(typeCodes.json); // upstream publishes no type for it
  switch (schema.type) {
    case "object":
      return typeof schema.additionalProperties === "object" || schema.additionalProperties === true
        ? mapNode(schema, objectMeta)
        : objectNode(schema, objectMeta);
    case "array":
      return listNode(schema, objectMeta);
    case "string":
      return stringNode(schema);
    case "integer":
      return createNode(typeCodes.int64);
    case "number":
      return createNode(typeCodes.float64);
    case "boolean":
      return createNode(typeCodes.bool);
    default:
      return createNode(typeCodes.json);
  }
}

function objectNode(schema: Structural, objectMeta: SchemaNode): MutableNode {
  const node = createNode(typeCodes.struct);
  const members = new Map(
    [...schema.properties].map(([name, inner]) => [
      name,
      { type: nodeOf(inner, objectMeta), defaultValue: inner.defaultValue },
    ]),
  );
  if (schema.embeddedResource) {
    for (const name of ["apiVersion", "kind"])
      members.set(name, { type: createNode(typeCodes.string), defaultValue: undefined });
    members.set("metadata", { type: objectMeta, defaultValue: undefined });
  }
  node.fields = [...members]
    .sort(([a], [b]) => compareUtf8(a, b))
    .map(([name, { type, defaultValue }], index) =>
      fieldNode({ name, type, defaultValue, index, required: schema.required.has(name) }),
    );
  node.byName = new Map(node.fields.map((field) => [field.name, field]));
  node.preserveUnknown = schema.preserveUnknown;
  node.applyType = schema.mapType;
  node.atomic = schema.mapType === "atomic";
  return node;
}

function mapNode(schema: Structural, objectMeta: SchemaNode): SchemaNode {
  const node = createNode(typeCodes.map);
  node.element =
    typeof schema.additionalProperties === "object"
      ? nodeOf(schema.additionalProperties, objectMeta)
      : createNode(typeCodes.json);
  node.elementPointer = true;
  node.preserveUnknown = schema.preserveUnknown;
  node.applyType = schema.mapType;
  node.atomic = schema.mapType === "atomic";
  return node;
}

function listNode(schema: Structural, objectMeta: SchemaNode): SchemaNode {
  const node = createNode(typeCodes.list);
  node.element = schema.items ? nodeOf(schema.items, objectMeta) : createNode(typeCodes.rawExtension);
  node.elementPointer = true;
  node.preserveUnknown = schema.preserveUnknown;
  node.applyType = schema.listType;
  node.listType = schema.listType === "" ? "atomic" : schema.listType;
  node.listKeys = schema.listKeys;
  return node;
}

function stringNode(schema: Structural): SchemaNode {
  const format = schema.source["format"];
  // To apply, text of a format is any scalar (kube-openapi's schemaconv).
  if (typeof format === "string" && format !== "" && format !== "byte") return createNode(typeCodes.intOrString);
  const node = createNode(typeCodes.string);
  const values = schema.source["enum"];
  if (Array.isArray(values)) node.enumValues = values.filter((value) => typeof value === "string");
  return node;
}

/** Every member may be absent, and zero is a value: to Go all of them are entries of a map. */
function fieldNode({
  name,
  type,
  defaultValue,
  index,
  required,
}: Pick<FieldNode, "name" | "type" | "defaultValue" | "index" | "required">): FieldNode {
  return {
    name,
    type,
    index,
    pointer: true,
    omitEmpty: true,
    omitZero: false,
    required,
    patchStrategy: [],
    patchMergeKey: "",
    gate: undefined,
    gates: [],
    defaultValue,
    rules: [],
    comparedRules: [],
  };
}

/** Go writes the metadata of custom resources sorted too. */
function sortedByName(node: SchemaNode, done: Map<SchemaNode, SchemaNode>): SchemaNode {
  const known = done.get(node);
  if (known) return known;
  const copy = { ...node } as MutableNode;
  done.set(node, copy);
  if (node.element) copy.element = sortedByName(node.element, done);
  copy.fields = node.fields
    .map((field) => ({ ...field, type: sortedByName(field.type, done) }))
    .sort((a, b) => compareUtf8(a.name, b.name))
    .map((field, index) => ({ ...field, index }));
  copy.byName = new Map(copy.fields.map((field) => [field.name, field]));
  return copy;
}
