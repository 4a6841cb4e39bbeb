import { runAtOnce, type Steps } from "@coxswain/runtime/steps";
import { append } from "../append/index.js";
import { childOf, type FieldError, FieldPath, invalid, required } from "../field/index.js";
import { decodeJson } from "../json/decode.js";
import { DecodeError } from "../json/decode-error.js";
import { encodeJson } from "../json/encode.js";
import { groupVersionError, parseGroupVersion } from "../meta/group-version.js";
import { getOwn } from "../own/index.js";
import { isList, isObject, type JsonObject } from "../patch/json-value.js";
import type { SchemaNode } from "../schema/index.js";
import { checkDns1035Label, checkPathSegmentName, validateObjectMeta } from "../validation/index.js";
import { hasEmbedded } from "./schema-has.js";
import { sortedMembers } from "./sorted-members.js";
import { asResourceRoot, type Structural } from "./structural.js";

export interface ValidateEmbeddedOptions {
  /** The type of `metadata`. */
  readonly objectMeta: SchemaNode;
  /** Whether the object itself is checked too, not only objects inside it. @default false */
  readonly root?: boolean;
  /** Of the value, where it is a part of something. */
  readonly path?: FieldPath;
}

/** What looking at one value takes, without those inside it. */
const valueMicros = 1;

/** Objects inside an object need a version, a kind, and metadata that would do anywhere. */
export const validateEmbedded = (object: unknown, schema: Structural, options: ValidateEmbeddedOptions): FieldError[] =>
  runAtOnce(validateEmbeddedInSteps(object, schema, options));

export const validateEmbeddedInSteps = (
  object: unknown,
  schema: Structural,
  { objectMeta, root = false, path }: ValidateEmbeddedOptions,
): Steps<FieldError[]> => validate(object, root ? asResourceRoot(schema) : schema, path, objectMeta);

function* validate(
  value: unknown,
  schema: Structural | undefined,
  path: FieldPath | undefined,
  objectMeta: SchemaNode,
): Steps<FieldError[]> {
  const errors: FieldError[] = [];
  if (schema === undefined || typeof value !== "object" || !hasEmbedded(schema)) return errors;
  if (isList(value)) {
    for (const [index, item] of value.entries()) {
      append(errors, yield* validate(item, schema.items, path?.index(index), objectMeta));
      yield valueMicros;
    }
    return errors;
  }
  if (!isObject(value)) return errors;
  if (schema.embeddedResource) append(errors, validateResource(value, path, objectMeta));
  for (const name of Object.keys(value)) {
    const member = getOwn<unknown>(value, name);
    const own = schema.properties.get(name);
    const rest = schema.additionalProperties;
    if (own) append(errors, yield* validate(member, own, childOf(path, name), objectMeta));
    else if (typeof rest === "object")
      append(errors, yield* validate(member, rest, path ? path.key(name) : FieldPath.of(name), objectMeta));
    yield valueMicros;
  }
  return errors;
}

function validateResource(object: JsonObject, path: FieldPath | undefined, objectMeta: SchemaNode): FieldError[] {
  const errors: FieldError[] = [];
  for (const name of ["apiVersion", "kind"])
    if (getOwn<unknown>(object, name) === undefined) errors.push(required(childOf(path, name)));
  for (const name of Object.keys(object)) {
    const value = getOwn<unknown>(object, name);
    const at = childOf(path, name);
    if (name === "apiVersion" || name === "kind") {
      const problem = textProblem(name, value);
      if (problem !== undefined) errors.push(invalid(at, sortedMembers(value), problem));
    } else if (name === "metadata") append(errors, validateMetadata(value, at, objectMeta));
  }
  return errors;
}

function textProblem(name: "apiVersion" | "kind", value: unknown): string | undefined {
  if (typeof value !== "string") return "must be a string";
  if (value === "") return "must not be empty";
  if (name === "apiVersion") return parseGroupVersion(value) === undefined ? groupVersionError(value) : undefined;
  const problems = checkDns1035Label(value.toLowerCase());
  return problems.length === 0 ? undefined : `may have mixed case, but should otherwise match: ${problems.join(",")}`;
}

function validateMetadata(metadata: unknown, path: FieldPath, objectMeta: SchemaNode): FieldError[] {
  try {
    const meta = decodeJson(encodeJson(sortedMembers(metadata)), objectMeta).object as {
      name?: string;
      namespace?: string;
    };
    // Without a name it is as good as with one: the creator of the object names it.
    const named = { ...meta, name: meta.name || "fakename" };
    return validateObjectMeta(named, { namespaced: Boolean(meta.namespace), checkName: checkPathSegmentName, path });
  } catch (error) {
    if (error instanceof DecodeError) return [invalid(path, sortedMembers(metadata), error.message)];
    throw error;
  }
}
