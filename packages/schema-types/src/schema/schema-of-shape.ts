import type { JSONSchemaProps } from "@coxswain/api/apiextensions/v1";
import { setOwn } from "@coxswain/apimachinery/own";
import { type Doc, emptyDoc } from "../markers/read-doc.js";
import { applyMarkers } from "../markers/schema-markers.js";
import { embeddedObject } from "../shapes/built-in-names.js";
import { anyObject } from "../shapes/kubernetes-object.js";
import { alternativesOf, type ObjectShape, type Shape, type ShapeMember } from "../shapes/shape.js";
import { SourceError } from "../syntax/source-place.js";
import { builtInSchema } from "./built-in-schema.js";
import { unionSchema } from "./union-schema.js";

/**
 * The structural schema of a type. `doc` is that of the member that has it: its markers come after those of the type's
 * own declarations, and its description goes before theirs.
 *
 * `inside` holds the identities of the types around it: a structural schema has no references, so that a type that
 * contains itself has none, unless a marker leaves its content open.
 */
export function schemaOfShape(shape: Shape, doc: Doc = emptyDoc, inside: readonly string[] = []): JSONSchemaProps {
  const isOpen = doc.markers.some(({ name }) => name === "preserveUnknownFields") && isRecursive(shape, inside);
  const schema = isOpen ? { type: "object" } : bareSchema(shape, inside);
  // Rules of a type are about its members, which are not in the schema where it is left open.
  const docs = isOpen ? [doc] : [...shape.docs, doc];
  for (const { description, markers } of docs) {
    if (description !== "") schema.description = description;
    applyMarkers(schema, markers);
  }
  return schema;
}

const isRecursive = (shape: Shape, inside: readonly string[]): boolean =>
  shape.is === "object" && inside.includes(shape.identity);

function bareSchema(shape: Shape, inside: readonly string[]): JSONSchemaProps {
  switch (shape.is) {
    case "scalar":
      return structuredClone(shape.schema) as JSONSchemaProps;
    case "literal":
    case "union":
      return unionSchema(shape, (alternative) => schemaOfShape(alternative, emptyDoc, inside));
    case "list":
      return { type: "array", items: schemaOfShape(shape.element(), emptyDoc, inside) };
    case "object":
      return objectSchema(shape, inside);
    case "built-in":
      return builtInSchema(shape.type, shape.place);
    case "null":
    case "undefined":
    case "never":
      throw new SourceError(shape.place, `a value that is always ${shape.is} has no schema`);
  }
}

function objectSchema(shape: Shape & ObjectShape, inside: readonly string[]): JSONSchemaProps {
  if (shape.identity === anyObject) return structuredClone(embeddedObject);
  if (isRecursive(shape, inside))
    throw new SourceError(
      shape.place,
      "this type contains itself, which a schema cannot describe: mark the member with @preserveUnknownFields, or refer by name",
    );
  const around = shape.identity === "" ? inside : [...inside, shape.identity];
  if (shape.values) {
    if (shape.members.length > 0)
      throw new SourceError(shape.place, "a schema has either named members or a map of any names, not both");
    return { type: "object", additionalProperties: schemaOfShape(shape.values(), emptyDoc, around) };
  }
  return membersSchema(shape.members, around);
}

/** An object with these members. One that can never be there (`b?: never`) has no schema and is left to the union around it. */
export function membersSchema(members: readonly ShapeMember[], inside: readonly string[]): JSONSchemaProps {
  const schema: JSONSchemaProps = { type: "object" };
  const properties: Record<string, JSONSchemaProps> = {};
  const required: string[] = [];
  for (const member of members) {
    const shape = member.shape();
    if (shape.is === "never" || shape.is === "undefined") continue;
    setOwn(properties, member.name, schemaOfShape(shape, member.doc, inside));
    if (isRequired(member, shape)) required.push(member.name);
  }
  if (Object.keys(properties).length > 0) schema.properties = properties;
  if (required.length > 0) schema.required = required.sort();
  return schema;
}

function isRequired(member: ShapeMember, shape: Shape): boolean {
  const hasMarker = (word: string): boolean => member.doc.markers.some(({ name }) => name === word);
  if (hasMarker("optional")) return false;
  if (hasMarker("required")) return true;
  return !member.optional && !alternativesOf(shape).some(({ is }) => is === "undefined");
}
