import type { SchemaDocument, SchemaNode } from "../../contract/messages.js";
import type { LinePath } from "./yaml-lines.js";

/** Pure: the schema at a path; undefined where the document has nothing about it. */
export function schemaAt(document: SchemaDocument, path: LinePath): SchemaNode | undefined {
  let node = resolve(document, document.schemas[document.root]);
  for (const step of path) {
    if (!node) return undefined;
    const { properties = {}, items, additionalProperties } = node;
    const next: SchemaNode | boolean | undefined =
      typeof step === "number" ? items : Object.hasOwn(properties, step) ? properties[step] : additionalProperties;
    node = typeof next === "object" ? resolve(document, next) : undefined;
  }
  return node;
}

const referenced = "#/components/schemas/";

/** References and `allOf` of one member, which is how a referenced type gets a default and a description of its own. */
export function resolve(document: SchemaDocument, node: SchemaNode | undefined): SchemaNode | undefined {
  let merged = node;
  for (let depth = 0; merged && depth < 8; depth++) {
    const [inner] = merged.allOf ?? [];
    const reference: string | undefined = merged.$ref ?? inner?.$ref;
    if (reference === undefined) return merged;
    const { $ref: _, allOf: __, ...own } = merged;
    merged = { ...document.schemas[reference.slice(referenced.length)], ...own };
  }
  return merged;
}

/** Pure: a type as a person writes it. */
export function typeText({ type = "", format, items, enum: values, additionalProperties }: SchemaNode): string {
  if (values) return values.join(" | ");
  if (type === "array") return `list${items?.type === undefined ? "" : ` of ${items.type}`}`;
  if (type === "object" && additionalProperties) return "map";
  return format === undefined ? type || "any" : `${type} (${format})`;
}
