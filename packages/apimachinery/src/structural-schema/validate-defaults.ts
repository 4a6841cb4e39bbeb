import type { Steps } from "@coxswain/runtime/steps";
import { append } from "../append/index.js";
import { childOf, type FieldError, type FieldPath, fieldErrorsText, fieldErrorText, invalid } from "../field/index.js";
import { equalJson } from "../json/equal.js";
import { isObject, type JsonObject } from "../patch/json-value.js";
import type { SchemaNode } from "../schema/index.js";
import { coerceEmbedded } from "./coerce-embedded.js";
import { pruneValue } from "./prune.js";
import { sortedMembers } from "./sorted-members.js";
import { asResourceRoot, metaMembers, type Structural, schemaMicros } from "./structural.js";
import { items, surround, type Way } from "./surrounding-object.js";
import { validateEmbedded } from "./validate-embedded.js";
import { validateValue } from "./validate-value.js";
import { readValueSchema } from "./value-schema.js";

export interface ValidateDefaultsOptions {
  /** The type of `metadata`. */
  readonly objectMeta: SchemaNode;
  /** Whether defaults may have no members that the schema does not know. */
  readonly pruned: boolean;
  /** Of the schema. */
  readonly path: FieldPath;
  /** Runs the rules of the schema and of those inside it on a default that is otherwise good. @default rules are not run */
  readonly checkRules?: CheckDefaultRules;
}

export type CheckDefaultRules = (
  value: unknown,
  schema: Structural,
  place: { readonly path: FieldPath; readonly isResource: boolean },
) => {
  readonly errors: readonly FieldError[];
  /** The cost budget of all defaults together is used up: no further default is looked at. */
  readonly exhausted: boolean;
};

/**
 * Whether each default of a resource's schema is what the schema asks for. Defaults below `additionalProperties` are not
 * looked at.
 */
export function* validateDefaults(
  schema: Structural,
  { path, ...options }: ValidateDefaultsOptions,
): Steps<FieldError[]> {
  const root = asResourceRoot(schema);
  return yield* validate(root, path, { ...options, root, way: [], inMeta: false, budget: { exhausted: false } });
}

interface Place extends Omit<ValidateDefaultsOptions, "path"> {
  /** The innermost object that has metadata, and the way from it. */
  readonly root: Structural;
  readonly way: Way;
  /** Within the members that every object has. */
  readonly inMeta: boolean;
  readonly budget: { exhausted: boolean };
}

/** What checking one default takes. */
const defaultMicros = 50;

function* validate(schema: Structural, path: FieldPath, given: Place): Steps<FieldError[]> {
  if (given.budget.exhausted) return [];
  const place = schema.embeddedResource ? { ...given, root: schema, way: [], inMeta: false } : given;
  const errors: FieldError[] = [];
  yield schemaMicros;
  if (schema.defaultValue !== undefined) {
    append(errors, (place.inMeta ? validateInMeta : validateDefault)(schema, childOf(path, "default"), place));
    yield defaultMicros;
  }
  if (schema.items)
    append(errors, yield* validate(schema.items, path.child("items"), { ...place, way: [...place.way, items] }));
  for (const [name, inner] of schema.properties) {
    const inMeta = place.inMeta || (schema.embeddedResource && metaMembers.has(name));
    append(
      errors,
      yield* validate(inner, path.child("properties").key(name), { ...place, way: [...place.way, name], inMeta }),
    );
  }
  return errors;
}

function validateDefault(schema: Structural, path: FieldPath, place: Place): FieldError[] {
  const { objectMeta, pruned } = place;
  const value = schema.defaultValue;
  const errors: FieldError[] = [];
  if (pruned && !equalJson(pruneValue(value, schema, { unknown: [] }), value))
    errors.push(invalid(path, sortedMembers(value), "must not have unknown fields"));
  const coerced = coerceEmbedded(value, schema, { objectMeta, path });
  if (coerced.error) return [...errors, coerced.error];
  const embedded = validateEmbedded(coerced.object, schema, { objectMeta, path });
  return [...errors, ...(embedded.length > 0 ? embedded : checkValue(coerced.object, schema, path, place))];
}

function checkValue(value: unknown, schema: Structural, path: FieldPath, place: Place): FieldError[] {
  const errors = validateValue(value, readValueSchema(schema.source, "default"), path);
  if (errors.length > 0 || !place.checkRules) return errors;
  const checked = place.checkRules(value, schema, { path, isResource: schema === place.root });
  place.budget.exhausted = checked.exhausted;
  return [...checked.errors];
}

/** A default of metadata, or of a part of it, must make good metadata when nothing else is there. */
function validateInMeta(schema: Structural, path: FieldPath, place: Place): FieldError[] {
  const { objectMeta, root, way } = place;
  const value = schema.defaultValue;
  const problem = metaProblem(surround(value, way), root, objectMeta);
  if (problem !== undefined) return [invalid(path, sortedMembers(value), `must result in valid metadata: ${problem}`)];
  return checkValue(value, schema, path, place);
}

function metaProblem(surrounding: unknown, root: Structural, objectMeta: SchemaNode): string | undefined {
  const object: JsonObject = {
    kind: "Validation",
    apiVersion: "validation/v1",
    ...(isObject(surrounding) && surrounding),
  };
  const { error, object: coerced } = coerceEmbedded(object, root, { objectMeta, root: true });
  return error ? fieldErrorText(error) : fieldErrorsText(validateEmbedded(coerced, root, { objectMeta, root: true }));
}
