import { append } from "@coxswain/apimachinery/append";
import {
  type FieldError,
  type FieldPath,
  fieldErrorText,
  fieldPath,
  forbidden,
  invalid,
  required,
} from "@coxswain/apimachinery/field";
import { equalAsGiven, wasGivenEmpty } from "@coxswain/apimachinery/json";
import { compileRegexp, RegexpError } from "@coxswain/apimachinery/regexp";
import { schemaMicros } from "@coxswain/apimachinery/structural-schema";
import { compareUtf8 } from "@coxswain/apimachinery/validation";
import { runAtOnce, type Steps } from "@coxswain/runtime/steps";
import { additionalOf, itemsOf, propertyOf, type Schema } from "./schema-walk.js";
import { structuralProblemInSteps } from "./structural-problem.js";

type Level = "root" | "item" | "field";

export const isStructural = (schema: Schema | undefined): boolean => runAtOnce(isStructuralInSteps(schema));

export function* isStructuralInSteps(schema: Schema | undefined): Steps<boolean> {
  if ((yield* structuralProblemInSteps(schema)) !== undefined) return false;
  return (yield* checkStructural(schema ?? {}, fieldPath(""))).length === 0;
}

/**
 * A structural schema gives the type of every value outside of allOf, anyOf, oneOf and not, which may only narrow it further.
 * The schema must be readable (`structuralProblem`).
 */
export function* checkStructural(schema: Schema, path: FieldPath): Steps<FieldError[]> {
  const errors = yield* checkInvariants(schema, "root", path);
  append(errors, yield* checkJunctorsAreComplete(schema, schema, path, path));
  return errors
    .map((error) => [fieldErrorText(error), error] as const)
    .sort(([a], [b]) => compareUtf8(a, b))
    .map(([, error]) => error);
}

const emptyTypes = {
  root: "must not be empty at the root",
  item: "must not be empty for specified array items",
  field: "must not be empty for specified object fields",
};

function* checkInvariants(schema: Schema, level: Level, path: FieldPath): Steps<FieldError[]> {
  const { type = "", additionalProperties, properties = {} } = schema;
  const items = itemsOf(schema);
  const additional = additionalOf(schema);
  const errors: FieldError[] = [];
  if (type === "array" && !items) errors.push(required(path.child("items"), "must be specified"));
  if (items) append(errors, yield* checkInvariants(items, "item", path.child("items")));
  for (const [name, inner] of Object.entries(properties))
    append(errors, yield* checkInvariants(inner, "field", path.child("properties").key(name)));
  if (additionalProperties !== undefined && level === "root")
    errors.push(forbidden(path.child("additionalProperties"), "must not be used at the root"));
  if (additional) append(errors, yield* checkInvariants(additional, "field", path.child("additionalProperties")));
  append(errors, checkExtensions(schema, path));
  const skipped = { anyOf: isIntOrString(schema), firstAllOf: isIntOrString(schema.allOf?.[0]) };
  append(errors, yield* checkValueRules(schema, path, skipped));
  append(errors, [...checkType(schema, level, path), ...checkMeta(schema, level, path)]);
  yield schemaMicros;
  return errors;
}

function checkType(
  { type = "", additionalProperties, properties, ...rest }: Schema,
  level: Level,
  path: FieldPath,
): FieldError[] {
  const embedded = rest["x-kubernetes-embedded-resource"];
  const preserves = rest["x-kubernetes-preserve-unknown-fields"];
  const errors: FieldError[] = [];
  const mustBeObject = "must be object if x-kubernetes-embedded-resource is true";
  if (embedded && type !== "object")
    errors.push(
      type === "" ? required(path.child("type"), mustBeObject) : invalid(path.child("type"), type, mustBeObject),
    );
  else if (type === "" && !rest["x-kubernetes-int-or-string"] && !preserves)
    errors.push(required(path.child("type"), emptyTypes[level]));
  if (embedded && additionalProperties !== undefined)
    errors.push(
      forbidden(path.child("additionalProperties"), "must not be used if x-kubernetes-embedded-resource is set"),
    );
  if (level === "root" && type !== "" && type !== "object")
    errors.push(invalid(path.child("type"), type, "must be object at the root"));
  if (embedded && !preserves && !properties)
    errors.push(
      required(
        path.child("properties"),
        "must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields",
      ),
    );
  return errors;
}

/** Of the members that every object has anyway, a schema may only give the type. */
function checkMeta(schema: Schema, level: Level, path: FieldPath): FieldError[] {
  const { kind, apiVersion, metadata } = schema.properties ?? {};
  const isResource = level === "root" || schema["x-kubernetes-embedded-resource"] === true;
  const errors: FieldError[] = [];
  for (const [name, inner] of Object.entries({ kind, apiVersion })) {
    if (inner && isResource && inner.type !== "string")
      errors.push(invalid(path.child("properties").key(name).child("type"), inner.type ?? "", "must be string"));
  }
  if (!metadata) return errors;
  const metaPath = path.child("properties").key("metadata");
  if (isResource && metadata.type !== "object")
    errors.push(invalid(metaPath.child("type"), metadata.type ?? "", "must be object"));
  if (level === "root" && !isPlainMetadata(metadata))
    errors.push(
      forbidden(
        metaPath,
        "must not specify anything other than name and generateName, but metadata is implicitly specified",
      ),
    );
  return errors;
}

/** Lists that have a meaning even when they are empty. */
const lists = ["required", "x-kubernetes-list-map-keys", "x-kubernetes-validations"];

function isPlainMetadata(metadata: Schema): boolean {
  const { type: _type, default: _default, $ref: _ref, properties = {}, ...rest } = metadata;
  return (
    Object.keys(rest).length === 0 &&
    !lists.some((name) => wasGivenEmpty(metadata, name)) &&
    Object.keys(properties).every((name) => name === "name" || name === "generateName")
  );
}

function checkExtensions(schema: Schema, path: FieldPath): FieldError[] {
  if (!schema["x-kubernetes-int-or-string"]) return [];
  const wrong = (["x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource"] as const).filter(
    (name) => schema[name],
  );
  return wrong.map((name) => invalid(path.child(name), true, "must be false if x-kubernetes-int-or-string is true"));
}

const intOrString = [{ type: "integer" }, { type: "string" }];

/** Types may stand in anyOf where a value is an integer or a text. */
const isIntOrString = (schema: Schema | undefined): boolean => equalAsGiven(schema?.anyOf, intOrString);

interface Skipped {
  readonly anyOf?: boolean;
  readonly firstAllOf?: boolean;
}

function* checkValueRules(
  { anyOf = [], allOf = [], oneOf = [], not, pattern }: Schema,
  path: FieldPath,
  skipped: Skipped = {},
): Steps<FieldError[]> {
  const errors: FieldError[] = [];
  if (!skipped.anyOf)
    for (const [at, inner] of anyOf.entries()) append(errors, yield* checkNested(inner, path.child("anyOf").index(at)));
  for (const [at, inner] of allOf.entries()) {
    const there = { anyOf: skipped.firstAllOf === true && at === 0 };
    append(errors, yield* checkNested(inner, path.child("allOf").index(at), there));
  }
  for (const [at, inner] of oneOf.entries()) append(errors, yield* checkNested(inner, path.child("oneOf").index(at)));
  if (not) append(errors, yield* checkNested(not, path.child("not")));
  if (pattern) {
    append(errors, checkPattern(pattern, path.child("pattern")));
    yield patternMicros;
  }
  return errors;
}

/** What compiling a pattern takes: with repetitions such as `{1,1000}` up to milliseconds. */
const patternMicros = 500;

function checkPattern(pattern: string, path: FieldPath): FieldError[] {
  try {
    compileRegexp(pattern);
    return [];
  } catch (err) {
    if (err instanceof RegexpError)
      return [invalid(path, pattern, `must be a valid regular expression, but isn't: ${err.message}`)];
    throw err;
  }
}

/** Members that shape a value, with what they must be inside allOf and its like. */
const shaping = [
  ["type", "empty"],
  ["default", "undefined"],
  ["title", "empty"],
  ["description", "empty"],
  ["nullable", "false"],
  ["x-kubernetes-preserve-unknown-fields", "false"],
  ["x-kubernetes-embedded-resource", "false"],
  ["x-kubernetes-int-or-string", "false"],
  ["x-kubernetes-list-map-keys", "empty"],
  ["x-kubernetes-list-type", "undefined"],
  ["x-kubernetes-map-type", "undefined"],
  ["x-kubernetes-validations", "empty"],
] as const;

function* checkNested(schema: Schema, path: FieldPath, skipped: Skipped = {}): Steps<FieldError[]> {
  const items = itemsOf(schema);
  const { properties = {}, additionalProperties } = schema;
  const errors = yield* checkValueRules(schema, path, skipped);
  if (items) append(errors, yield* checkNested(items, path.child("items")));
  for (const [name, inner] of Object.entries(properties))
    append(errors, yield* checkNested(inner, path.child("properties").key(name)));
  if (additionalProperties !== undefined && additionalProperties !== false)
    errors.push(forbidden(path.child("additionalProperties"), "must be undefined to be structural"));
  // Extensions are pointers to upstream: one that is empty is there all the same.
  for (const [name, wanted] of shaping)
    if (schema[name] !== undefined && (schema[name] !== "" || name.startsWith("x-kubernetes-")))
      errors.push(forbidden(path.child(name), `must be ${wanted} to be structural`));
  if (properties["metadata"])
    errors.push(forbidden(path.child("properties").key("metadata"), "must not be specified in a nested context"));
  yield schemaMicros;
  return errors;
}

/** What is narrowed must be specified outside as well. `path`: of the outer schema, `at`: of the narrowing one. */
function* checkJunctorsAreComplete(
  { not, allOf = [], anyOf = [], oneOf = [] }: Schema,
  outer: Schema,
  path: FieldPath,
  at: FieldPath,
): Steps<FieldError[]> {
  const errors: FieldError[] = [];
  if (not) append(errors, yield* checkIsComplete(not, outer, path, at.child("not")));
  for (const [member, list] of Object.entries({ allOf, anyOf, oneOf }))
    for (const [index, inner] of list.entries())
      append(errors, yield* checkIsComplete(inner, outer, path, at.child(member).index(index)));
  return errors;
}

function* checkIsComplete(
  inner: Schema,
  outer: Schema | undefined,
  path: FieldPath,
  at: FieldPath,
): Steps<FieldError[]> {
  yield schemaMicros;
  if (!outer) return [required(path, `because it is defined in ${at.toString()}`)];
  const items = itemsOf(inner);
  const errors = yield* checkJunctorsAreComplete(inner, outer, path, at);
  if (items) append(errors, yield* checkIsComplete(items, itemsOf(outer), path.child("items"), at.child("items")));
  for (const [name, property] of Object.entries(inner.properties ?? {})) {
    const [here, there] = [path.child("properties").key(name), at.child("properties").key(name)];
    append(errors, yield* checkIsComplete(property, propertyOf(outer, name), here, there));
  }
  return errors;
}
