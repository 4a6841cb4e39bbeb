import { largest } from "@coxswain/apimachinery/append";
import { getOwn } from "@coxswain/apimachinery/own";
import { type Structural } from "@coxswain/apimachinery/structural-schema";
import { utf8Length } from "@coxswain/apimachinery/text";
import { bytesType, durationType, dynType, timestampType } from "../types/type.js";
import {
  type DeclaredType,
  declaredBool,
  declaredDouble,
  declaredInt,
  declaredList,
  declaredMap,
  declaredObject,
  declaredString,
  simpleDeclared,
} from "./declared-type.js";
import { escapeName } from "./escaping.js";
import { celLimits } from "./limits.js";
import { withTypeAndObjectMeta } from "./object-meta.js";

/** Bytes of JSON that formatted strings have at least, and at most: the dates of RFC 3339, in quotes. */
const minDurationSize = 3;
const maxDurationSize = 32;
const dateSize = 12;
const minDateTimeSize = 21;
const maxDateTimeSize = 32;
/** The longest string of a request, without its quotes. */
const maxStringLength = celLimits.requestBytes - 2;

/**
 * The type that data of a schema has in expressions; undefined for data that they cannot see, which is what has no type
 * (but for int-or-string), and lists and maps of such.
 */
export function schemaToType(schema: Structural, options: { isResourceRoot?: boolean } = {}): DeclaredType | undefined {
  if (schema.intOrString) {
    const maxLength = numberOf(schema, "maxLength");
    return simpleDeclared(dynType, 1, maxLength === undefined ? maxStringLength : atLeastZero(maxLength) * 4);
  }
  const described = options.isResourceRoot === true ? withTypeAndObjectMeta(schema) : schema;
  switch (described.type) {
    case "array":
      return listOf(described);
    case "object":
      return typeof described.additionalProperties === "object"
        ? mapOf(described, described.additionalProperties)
        : objectOf(described);
    case "string":
      return stringOf(described);
    case "boolean":
      return declaredBool;
    case "number":
      return declaredDouble;
    case "integer":
      return declaredInt;
    default:
      return undefined;
  }
}

/** Whether `schemaToType` has a type for it, without making one. */
export function hasSchemaType({ intOrString, type, items, additionalProperties }: Structural): boolean {
  if (intOrString) return true;
  if (type === "array") return items !== undefined && hasSchemaType(items);
  if (type === "object") return typeof additionalProperties !== "object" || hasSchemaType(additionalProperties);
  return type === "string" || type === "boolean" || type === "number" || type === "integer";
}

/** Of schemas inside others: each is asked for by all that are around it. */
const known = new WeakMap<Structural, DeclaredType>();

function nested(schema: Structural): DeclaredType | undefined {
  const before = known.get(schema);
  if (before) return before;
  const type = schemaToType(schema, { isResourceRoot: schema.embeddedResource });
  if (type) known.set(schema, type);
  return type;
}

function listOf(schema: Structural): DeclaredType | undefined {
  const element = schema.items && nested(schema.items);
  if (element === undefined) return undefined;
  const maxItems = numberOf(schema, "maxItems");
  // Brackets around, a comma behind each.
  const mostThatFit = Math.trunc((celLimits.requestBytes - 2) / (element.minSize + 1));
  return declaredList(element, maxItems === undefined ? mostThatFit : atLeastZero(maxItems));
}

function mapOf(schema: Structural, values: Structural): DeclaredType | undefined {
  const element = nested(values);
  if (element === undefined) return undefined;
  const maxProperties = numberOf(schema, "maxProperties");
  // Braces around; each entry has at least a key of two characters in quotes, a colon and a comma.
  const mostThatFit = Math.trunc((celLimits.requestBytes - 2) / (element.minSize + 6));
  return declaredMap(element, maxProperties === undefined ? mostThatFit : atLeastZero(maxProperties));
}

function objectOf(schema: Structural): DeclaredType {
  const fields = new Map<string, DeclaredType>();
  let minSize = 2;
  for (const [name, property] of schema.properties) {
    const type = nested(property);
    if (type === undefined) continue;
    const escaped = escapeName(name);
    if (escaped !== undefined) fields.set(escaped, type);
    // What has a default need not be in a request.
    const isSent = schema.required.has(name) && property.defaultValue === undefined;
    if (isSent) minSize += utf8Length(name) + type.minSize + 4;
  }
  return declaredObject(fields, minSize);
}

function stringOf(schema: Structural): DeclaredType {
  const maxLength = numberOf(schema, "maxLength");
  switch (getOwn<unknown>(schema.source, "format")) {
    case "byte":
      return simpleDeclared(bytesType, 2, maxLength === undefined ? maxStringLength : atLeastZero(maxLength));
    case "duration":
      return simpleDeclared(durationType, minDurationSize, maxDurationSize);
    case "date":
      return simpleDeclared(timestampType, dateSize, dateSize);
    case "date-time":
      return simpleDeclared(timestampType, minDateTimeSize, maxDateTimeSize);
    default:
      // Limits count code points, which are of up to four bytes.
      return declaredString(maxLength === undefined ? longestOf(schema) : atLeastZero(maxLength) * 4);
  }
}

/** The longest value of an enumeration, or the longest string there can be. */
function longestOf(schema: Structural): number {
  const values = getOwn<unknown>(schema.source, "enum");
  if (!Array.isArray(values) || values.length === 0) return maxStringLength;
  return largest(values.filter((value) => typeof value === "string").map(utf8Length), 0);
}

function numberOf(schema: Structural, name: string): number | undefined {
  const value = getOwn<unknown>(schema.source, name);
  return typeof value === "number" || typeof value === "bigint" ? Number(value) : undefined;
}

const atLeastZero = (value: number): number => Math.max(0, value);
