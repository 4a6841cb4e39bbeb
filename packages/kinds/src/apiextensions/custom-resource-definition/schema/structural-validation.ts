import { append } from "@coxswain/apimachinery/append";
import {
  type FieldError,
  fieldErrorText,
  fieldPath,
  type FieldPath,
  forbidden,
  invalid,
  required,
} from "@coxswain/apimachinery/field";
import { equalAsGiven, wasGivenEmpty } from "@coxswain/apimachinery/json";
import { compileRegexp, RegexpError } from "@coxswain/apimachinery/regexp";
import { compareUtf8 } from "@coxswain/apimachinery/validation";
import { additionalOf, itemsOf, propertyOf, type Schema } from "./schema-walk.js";
import { structuralProblem } from "./structural-problem.js";

type Level = "root" | "item" | "field";

export const isStructural = (schema: Schema | undefined): boolean =>
  structuralProblem(schema) === undefined && checkStructural(schema ?? {}, fieldPath("")).length === 0;

/**
 * A structural schema gives the type of every value outside of allOf, anyOf, oneOf and not, which may only narrow it further.
 * The schema must be readable (`structuralProblem`).
 */
export function checkStructural(schema: Schema, path: FieldPath): FieldError[] {
  const errors = [...checkInvariants(schema, "root", path), ...checkJunctorsAreComplete(schema, schema, path, path)];
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

function checkInvariants(schema: Schema, level: Level, path: FieldPath): FieldError[] {
  const { type = "", additionalProperties, properties = {} } = schema;
  const items = itemsOf(schema);
  const additional = additionalOf(schema);
  const errors: FieldError[] = [];
  if (type === "array" && !items) errors.push(required(path.child("items"), "must be specified"));
  if (items) append(errors, checkInvariants(items, "item", path.child("items")));
  for (const [name, inner] of Object.entries(properties))
    append(errors, checkInvariants(inner, "field", path.child("properties").key(name)));
  if (additionalProperties !== undefined && level === "root")
    errors.push(forbidden(path.child("additionalProperties"), "must not be used at the root"));
  if (additional) append(errors, checkInvariants(additional, "field", path.child("additionalProperties")));
  return [
    ...errors,
    ...checkExtensions(schema, path),
    ...checkValueRules(schema, path, { anyOf: isIntOrString(schema), firstAllOf: isIntOrString(schema.allOf?.[0]) }),
    ...checkType(schema, level, path),
    ...checkMeta(schema, level, path),
  ];
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

function checkValueRules(
  { anyOf = [], allOf = [], oneOf = [], not, pattern }: Schema,
  path: FieldPath,
  skipped: Skipped = {},
): FieldError[] {
  return [
    ...(skipped.anyOf ? [] : anyOf.flatMap((inner, at) => checkNested(inner, path.child("anyOf").index(at)))),
    ...allOf.flatMap((inner, at) =>
      checkNested(inner, path.child("allOf").index(at), { anyOf: skipped.firstAllOf === true && at === 0 }),
    ),
    ...oneOf.flatMap((inner, at) => checkNested(inner, path.child("oneOf").index(at))),
    ...(not ? checkNested(not, path.child("not")) : []),
    ...(pattern ? checkPattern(pattern, path.child("pattern")) : []),
  ];
}

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

function checkNested(schema: Schema, path: FieldPath, skipped: Skipped = {}): FieldError[] {
  const items = itemsOf(schema);
  const { properties = {}, additionalProperties } = schema;
  const errors = [...checkValueRules(schema, path, skipped), ...(items ? checkNested(items, path.child("items")) : [])];
  for (const [name, inner] of Object.entries(properties))
    append(errors, checkNested(inner, path.child("properties").key(name)));
  if (additionalProperties !== undefined && additionalProperties !== false)
    errors.push(forbidden(path.child("additionalProperties"), "must be undefined to be structural"));
  for (const [name, wanted] of shaping)
    if (schema[name] !== undefined && schema[name] !== "")
      errors.push(forbidden(path.child(name), `must be ${wanted} to be structural`));
  if (properties["metadata"])
    errors.push(forbidden(path.child("properties").key("metadata"), "must not be specified in a nested context"));
  return errors;
}

/** What is narrowed must be specified outside as well. `path`: of the outer schema, `at`: of the narrowing one. */
function checkJunctorsAreComplete(
  { not, allOf = [], anyOf = [], oneOf = [] }: Schema,
  outer: Schema,
  path: FieldPath,
  at: FieldPath,
): FieldError[] {
  return [
    ...(not ? checkIsComplete(not, outer, path, at.child("not")) : []),
    ...Object.entries({ allOf, anyOf, oneOf }).flatMap(([member, list]) =>
      list.flatMap((inner, index) => checkIsComplete(inner, outer, path, at.child(member).index(index))),
    ),
  ];
}

function checkIsComplete(inner: Schema, outer: Schema | undefined, path: FieldPath, at: FieldPath): FieldError[] {
  if (!outer) return [required(path, `because it is defined in ${at.toString()}`)];
  const items = itemsOf(inner);
  const errors = [
    ...checkJunctorsAreComplete(inner, outer, path, at),
    ...(items ? checkIsComplete(items, itemsOf(outer), path.child("items"), at.child("items")) : []),
  ];
  for (const [name, property] of Object.entries(inner.properties ?? {}))
    append(
      errors,
      checkIsComplete(
        property,
        propertyOf(outer, name),
        path.child("properties").key(name),
        at.child("properties").key(name),
      ),
    );
  return errors;
}
