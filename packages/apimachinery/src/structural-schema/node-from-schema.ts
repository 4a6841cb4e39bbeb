import type { JsonObject } from "../patch/json-value.js";
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

export interface TypedNodeOptions extends NodeOptions {
  /** The OpenAPI name of a schema inside that has one. @default none has */
  readonly nameOf?: (schema: JsonObject) => string | undefined;
}

/** What nodes are made with. */
interface Making {
  readonly objectMeta: SchemaNode;
  /** As upstream's compiled types (k8s.io/apimachinery/pkg/runtime/serializer/json/json.go, Decode): bodies are decoded by them. */
  readonly typed: boolean;
  readonly nameOf: (schema: JsonObject) => string | undefined;
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
  return rootNode(schema, options, { objectMeta, typed: false, nameOf: () => undefined });
}

/**
 * The type of a kind that is served like a built-in one, from its schema: bodies are decoded by it, so that a wrong type is a
 * fault of decoding and unknown members are dropped. Members stand in the order of the schema, after those of every object.
 */
export const typedNodeFromStructural = (schema: Structural, options: TypedNodeOptions): SchemaNode =>
  rootNode(schema, options, {
    objectMeta: options.objectMeta,
    typed: true,
    nameOf: options.nameOf ?? (() => undefined),
  });

function rootNode(schema: Structural, options: NodeOptions, making: Making): SchemaNode {
  const root = objectNode({ ...schema, embeddedResource: true }, making);
  root.name = openAPIName(options);
  return root;
}

/** `com.example.stable.v1.CronTab` for CronTab in stable.example.com/v1. */
export function openAPIName({ group, version, kind }: Omit<NodeOptions, "objectMeta">): string {
  return [...group.split(".").reverse(), version, kind].filter((part) => part !== "").join(".");
}

function nodeOf(schema: Structural, making: Making): SchemaNode {
  // Upstream publishes no type for it.
  if (schema.intOrString) return createNode(making.typed ? typeCodes.intOrString : typeCodes.json);
  switch (schema.type) {
    case "object":
      return typeof schema.additionalProperties === "object" || schema.additionalProperties === true
        ? mapNode(schema, making)
        : objectNode(schema, making);
    case "array":
      return listNode(schema, making);
    case "string":
      return stringNode(schema, making);
    case "integer":
      return createNode(making.typed && schema.source["format"] === "int32" ? typeCodes.int32 : typeCodes.int64);
    case "number":
      return createNode(typeCodes.float64);
    case "boolean":
      return createNode(typeCodes.bool);
    default:
      return createNode(typeCodes.json);
  }
}

const ofEveryObject = ["kind", "apiVersion", "metadata"];

function objectNode(schema: Structural, making: Making): MutableNode {
  const node = createNode(typeCodes.struct);
  const members = new Map<string, Pick<FieldNode, "type" | "defaultValue"> & { readonly schema?: Structural }>();
  if (schema.embeddedResource)
    for (const name of ofEveryObject)
      members.set(name, {
        type: name === "metadata" ? making.objectMeta : createNode(typeCodes.string),
        defaultValue: undefined,
      });
  for (const [name, inner] of schema.properties)
    if (!(schema.embeddedResource && ofEveryObject.includes(name)))
      members.set(name, { type: nodeOf(inner, making), defaultValue: inner.defaultValue, schema: inner });
  const inOrder = making.typed ? [...members] : [...members].sort(([a], [b]) => compareUtf8(a, b));
  node.fields = inOrder.map(([name, { type, defaultValue, schema: of }], index) =>
    fieldNode({
      name,
      type,
      defaultValue,
      index,
      required: schema.required.has(name),
      ...(making.typed && of ? patchFacts(of) : noPatchFacts),
    }),
  );
  node.byName = new Map(node.fields.map((field) => [field.name, field]));
  node.name = making.nameOf(schema.source) ?? "";
  node.preserveUnknown = schema.preserveUnknown;
  node.applyType = schema.mapType;
  node.atomic = schema.mapType === "atomic";
  return node;
}

function mapNode(schema: Structural, making: Making): SchemaNode {
  const node = createNode(typeCodes.map);
  node.element =
    typeof schema.additionalProperties === "object"
      ? nodeOf(schema.additionalProperties, making)
      : createNode(typeCodes.json);
  node.elementPointer = true;
  node.preserveUnknown = schema.preserveUnknown;
  node.applyType = schema.mapType;
  node.atomic = schema.mapType === "atomic";
  return node;
}

function listNode(schema: Structural, making: Making): SchemaNode {
  const node = createNode(typeCodes.list);
  node.element = schema.items
    ? nodeOf(schema.items, making)
    : createNode(making.typed ? typeCodes.json : typeCodes.rawExtension);
  node.elementPointer = true;
  node.preserveUnknown = schema.preserveUnknown;
  node.applyType = schema.listType;
  node.listType = schema.listType === "" ? "atomic" : schema.listType;
  node.listKeys = schema.listKeys;
  return node;
}

function stringNode(schema: Structural, { typed }: Making): SchemaNode {
  const format = schema.source["format"];
  // To apply, text of a format is any scalar (kube-openapi's schemaconv).
  if (!typed && typeof format === "string" && format !== "" && format !== "byte")
    return createNode(typeCodes.intOrString);
  const node = createNode(typed && format === "byte" ? typeCodes.bytes : typeCodes.string);
  const values = schema.source["enum"];
  if (Array.isArray(values)) node.enumValues = values.filter((value) => typeof value === "string");
  return node;
}

type PatchFacts = Pick<FieldNode, "patchStrategy" | "patchMergeKey">;

const noPatchFacts: PatchFacts = { patchStrategy: [], patchMergeKey: "" };

/** How a strategic merge patch treats a list: as the schema has it, or as server-side apply does where items have one key. */
function patchFacts({ source, listType, listKeys }: Structural): PatchFacts {
  const strategy = source["x-kubernetes-patch-strategy"];
  const key = source["x-kubernetes-patch-merge-key"];
  const [only, ...more] = listKeys;
  const merges = listType === "set" || (listType === "map" && only !== undefined && more.length === 0);
  return {
    patchStrategy: typeof strategy === "string" ? strategy.split(",") : merges ? ["merge"] : [],
    patchMergeKey: typeof key === "string" ? key : merges && listType === "map" ? (only ?? "") : "",
  };
}

/** Every member may be absent, and zero is a value: to Go all of them are entries of a map. */
const fieldNode = (
  facts: Pick<FieldNode, "name" | "type" | "defaultValue" | "index" | "required"> & PatchFacts,
): FieldNode => ({
  ...facts,
  pointer: true,
  omitEmpty: true,
  omitZero: false,
  gate: undefined,
  gates: [],
  rules: [],
  comparedRules: [],
});

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
