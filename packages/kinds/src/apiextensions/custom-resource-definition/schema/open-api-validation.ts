import type { DeepReadonly } from "@coxswain/api";
import type { ValidationRule } from "@coxswain/api/apiextensions/v1";
import { append } from "@coxswain/apimachinery/append";
import {
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
  namedText,
  notSupported,
  required,
} from "@coxswain/apimachinery/field";
import { wasGivenEmpty } from "@coxswain/apimachinery/json";
import { schemaMicros } from "@coxswain/apimachinery/structural-schema";
import type { Steps } from "@coxswain/runtime/steps";
import type { DefinitionRules } from "../definition-rules.js";
import { FieldPathError, findField } from "./find-field.js";
import { checkKeyedList, checkListKeys, checkSetItems } from "./list-validation.js";
import { checkExpressions, innerRulePlace, type RulePlace } from "./rule-validation.js";
import { additionalOf, dependencySchemas, itemsOf, listOfItems, type Schema, schemaTypes } from "./schema-walk.js";
import { structuralProblem } from "./structural-problem.js";

interface Place {
  readonly rules: DefinitionRules;
  readonly isRoot: boolean;
  /** Inside of what every object has anyway. */
  readonly isMeta: boolean;
  /** Why there may be no default here; "" for no word about it. @default they may be */
  readonly noDefaults?: string;
  /** Undefined where expressions are not compiled. */
  readonly expressions?: RulePlace | undefined;
  /** The outermost schema around this one whose values cannot be correlated between the old and the new object. */
  readonly uncorrelated?: FieldPath;
}

/** Faults of expressions come after all others. */
export class SchemaErrors {
  readonly schema: FieldError[] = [];
  readonly expressions: FieldError[] = [];
}

const metaMembers = new Set(["metadata", "kind", "apiVersion"]);

/** What a schema and those inside it may contain at all. */
export function* checkOpenApi(schema: Schema, path: FieldPath, place: Place, found: SchemaErrors): Steps<void> {
  const before = found.schema.length;
  append(found.schema, checkMembers(schema, path, place));
  yield* checkInner(schema, path, { ...place, isRoot: false }, { found, isRoot: place.isRoot });
  if (schema["x-kubernetes-preserve-unknown-fields"] === false)
    found.schema.push(invalid(path.child("x-kubernetes-preserve-unknown-fields"), false, "must be true or undefined"));
  append(found.schema, [...checkMapType(schema, path), ...checkListType(schema, path, place.rules)]);
  yield schemaMicros;
  const rules = schema["x-kubernetes-validations"] ?? [];
  if (rules.length === 0) return;
  const rulesPath = path.child("x-kubernetes-validations");
  append(
    found.schema,
    rules.flatMap((rule, at) => checkRule(rule, schema, rulesPath.index(at))),
  );
  // What a faulty schema makes of expressions would only confuse.
  if (place.expressions && found.schema.length === before)
    append(found.expressions, yield* checkExpressions(schema, rulesPath, place.expressions, place.uncorrelated));
}

const unsupported = ["additionalItems", "patternProperties", "definitions", "dependencies", "$ref"] as const;

function checkMembers(schema: Schema, path: FieldPath, { rules, isMeta, noDefaults }: Place): FieldError[] {
  const { type = "" } = schema;
  const errors: FieldError[] = [];
  if (rules.validTypes && type !== "" && !schemaTypes.includes(type))
    errors.push(notSupported(path.child("type"), type, schemaTypes));
  if (schema.default !== undefined && noDefaults !== undefined)
    errors.push(forbidden(path.child("default"), `must not be set ${noDefaults}`.trimEnd()));
  if (schema.id) errors.push(forbidden(path.child("id"), "id is not supported"));
  for (const member of unsupported)
    if (schema[member] !== undefined || (member === "dependencies" && wasGivenEmpty(schema, member)))
      errors.push(forbidden(path.child(member), `${member} is not supported`));
  if (type === "null")
    errors.push(forbidden(path.child("type"), "type cannot be set to null, use nullable as an alternative"));
  if (listOfItems(schema).length > 0)
    errors.push(forbidden(path.child("items"), "items must be a schema object and not an array"));
  if (isMeta && schema["x-kubernetes-embedded-resource"])
    errors.push(forbidden(path.child("x-kubernetes-embedded-resource"), "must not be used inside of resource meta"));
  if (schema.uniqueItems)
    errors.push(
      forbidden(
        path.child("uniqueItems"),
        "uniqueItems cannot be set to true since the runtime complexity becomes quadratic",
      ),
    );
  if (schema.properties && schema.additionalProperties !== undefined && schema.additionalProperties !== true) {
    errors.push(
      forbidden(path.child("additionalProperties"), "additionalProperties and properties are mutual exclusive"),
    );
  }
  return errors;
}

function* checkInner(
  schema: Schema,
  path: FieldPath,
  place: Place,
  { found, isRoot }: { readonly found: SchemaErrors; readonly isRoot: boolean },
): Steps<void> {
  const check = (inner: Schema, at: FieldPath, there: Place): Steps<void> => checkOpenApi(inner, at, there, found);
  const { expressions } = place;
  const node = expressions?.node;
  const additional = additionalOf(schema);
  if (additional)
    yield* check(additional, path.child("additionalProperties"), {
      ...place,
      ...(place.isMeta && { noDefaults: "inside additionalProperties applying to object metadata" }),
      expressions: innerRulePlace(expressions, schema, additional, node?.additionalProperties),
    });
  for (const [name, inner] of Object.entries(schema.properties ?? {}))
    yield* check(inner, path.child("properties").key(name), {
      ...propertyPlace(schema, name, place, isRoot),
      ...(isCorrelatable(schema) || place.uncorrelated ? {} : { uncorrelated: path }),
      expressions: innerRulePlace(expressions, schema, inner, node?.properties.get(name)),
    });
  const nested = { ...place, expressions: undefined };
  if (schema.not) yield* check(schema.not, path.child("not"), nested);
  for (const member of ["allOf", "oneOf", "anyOf"] as const)
    for (const [at, inner] of (schema[member] ?? []).entries())
      yield* check(inner, path.child(member).index(at), nested);
  for (const [name, inner] of Object.entries(schema.definitions ?? {}))
    yield* check(inner, path.child("definitions").key(name), nested);
  // Of lists only the items that have keys are known again.
  const isKeyed = schema["x-kubernetes-list-type"] === "map";
  const inList = { ...place, ...(isKeyed || place.uncorrelated ? {} : { uncorrelated: path }) };
  const items = itemsOf(schema);
  if (items)
    yield* check(items, path.child("items"), {
      ...inList,
      expressions: innerRulePlace(expressions, schema, items, node?.items),
    });
  for (const [at, inner] of listOfItems(schema).entries())
    yield* check(inner, path.child("items").index(at), { ...inList, expressions: undefined });
  for (const [name, inner] of dependencySchemas(schema))
    yield* check(inner, path.child("dependencies").key(name), nested);
}

/** Members of a map are known again, unless it is of a type that nobody knows. */
const isCorrelatable = ({ "x-kubernetes-map-type": mapType }: Schema): boolean =>
  mapType === undefined || mapType === "granular" || mapType === "atomic";

function propertyPlace(schema: Schema, name: string, place: Place, isRoot: boolean): Place {
  if (!metaMembers.has(name) || !(isRoot || schema["x-kubernetes-embedded-resource"])) return place;
  return { ...place, isMeta: true, ...(isRoot && { noDefaults: `in top-level ${name}` }) };
}

function checkMapType({ type = "", "x-kubernetes-map-type": mapType }: Schema, path: FieldPath): FieldError[] {
  if (mapType === undefined) return [];
  return [
    ...(type === "object" ? [] : [mustBe(type, path, "must be object if x-kubernetes-map-type is specified")]),
    ...(mapType === "atomic" || mapType === "granular"
      ? []
      : [notSupported(path.child("x-kubernetes-map-type"), mapType, ["atomic", "granular"])]),
  ];
}

const mustBe = (type: string, path: FieldPath, detail: string): FieldError =>
  type === "" ? required(path.child("type"), detail) : invalid(path.child("type"), type, detail);

function checkListType(schema: Schema, path: FieldPath, rules: DefinitionRules): FieldError[] {
  const { type = "", "x-kubernetes-list-type": listType } = schema;
  const errors: FieldError[] = [];
  if (listType !== undefined && type !== "array")
    errors.push(mustBe(type, path, "must be array if x-kubernetes-list-type is specified"));
  else if (rules.atomicSets) append(errors, checkSetItems(schema, path));
  if (listType !== undefined && !["atomic", "set", "map"].includes(listType))
    errors.push(notSupported(path.child("x-kubernetes-list-type"), listType, ["atomic", "set", "map"]));
  if ((schema["x-kubernetes-list-map-keys"] ?? []).length > 0 && listType !== "map") {
    const detail = "must be map if x-kubernetes-list-map-keys is non-empty";
    errors.push(
      listType === undefined
        ? required(path.child("x-kubernetes-list-type"), detail)
        : invalid(path.child("x-kubernetes-list-type"), listType, detail),
    );
  }
  if (listType === "map") append(errors, checkKeyedList(schema, path));
  return [...errors, ...(rules.listKeys ? checkListKeys(schema, path) : [])];
}

const hasLineBreak = (text: string): boolean => /[\n\r]/.test(text);

function checkRule(
  { rule, message = "", messageExpression = "", reason, fieldPath = "" }: DeepReadonly<ValidationRule>,
  schema: Schema,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  const [plainRule, plainMessage] = [rule.trim(), message.trim()];
  if (plainRule === "") errors.push(required(path.child("rule"), "rule is not specified"));
  else if (message !== "" && plainMessage === "")
    errors.push(invalid(path.child("message"), message, "must be non-empty if specified"));
  else if (hasLineBreak(plainMessage))
    errors.push(invalid(path.child("message"), message, "must not contain line breaks"));
  else if (hasLineBreak(plainRule) && plainMessage === "")
    errors.push(required(path.child("message"), "message must be specified if rule contains line breaks"));
  if (messageExpression !== "" && messageExpression.trim() === "")
    errors.push(required(path.child("messageExpression"), "messageExpression must be non-empty if specified"));
  const reasons = ["FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"];
  if (reason !== undefined && !reasons.includes(reason))
    errors.push(notSupported(path.child("reason"), namedText(reason), reasons));
  return fieldPath === "" ? errors : [...errors, ...checkRulePath(fieldPath, schema, path.child("fieldPath"))];
}

function checkRulePath(text: string, schema: Schema, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (text.trim() === "") errors.push(invalid(path, text, "must be non-empty if specified"));
  if (hasLineBreak(text)) errors.push(invalid(path, text, "must not contain line breaks"));
  if (!leadsSomewhere(text, schema)) errors.push(invalid(path, text, "must be a valid path"));
  return errors;
}

function leadsSomewhere(text: string, schema: Schema): boolean {
  if (structuralProblem(schema) !== undefined) return true;
  try {
    findField(text, schema);
    return true;
  } catch (err) {
    if (err instanceof FieldPathError) return false;
    throw err;
  }
}
