import { schemaMicros } from "@coxswain/apimachinery/structural-schema";
import type { Steps } from "@coxswain/runtime/steps";
import { additionalOf, innerSchemas, itemsOf, listOfItems, type Schema } from "./schema-walk.js";

const unsupported = [
  "id",
  "$schema",
  "$ref",
  "patternProperties",
  "dependencies",
  "additionalItems",
  "definitions",
] as const;

/** Every rule with a path asks this of its schema: without memory thousands of rules would each walk it all. */
const known = new WeakMap<Schema, string>();
const none = "";

/** What keeps a schema from being read as a structural one at all; undefined for none. */
export function structuralProblem(schema: Schema | undefined): string | undefined {
  if (!schema) return undefined;
  let problem = known.get(schema);
  if (problem === undefined) known.set(schema, (problem = findProblem(schema) ?? none));
  return problem === none ? undefined : problem;
}

/** The same in steps: what is inside first, so that each is looked at once. */
export function* structuralProblemInSteps(schema: Schema | undefined): Steps<string | undefined> {
  if (!schema) return undefined;
  for (const inner of innerSchemas(schema)) if (!known.has(inner)) yield* structuralProblemInSteps(inner);
  yield schemaMicros;
  return structuralProblem(schema);
}

function findProblem(schema: Schema): string | undefined {
  const member = unsupported.find((name) => schema[name] !== undefined && schema[name] !== "");
  if (member !== undefined) return `OpenAPIV3Schema '${member.replace("$schema", "schema")}' is not supported`;
  const nested = [schema.not, ...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  for (const one of nested) {
    const problem = structuralProblem(one);
    if (problem !== undefined) return problem;
  }
  if (schema["x-kubernetes-preserve-unknown-fields"] === false)
    return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
  if (listOfItems(schema).length > 0) return "OpenAPIV3Schema 'items' must be a schema, but is an array";
  for (const one of [itemsOf(schema), ...Object.values(schema.properties ?? {}), additionalOf(schema)]) {
    const problem = structuralProblem(one);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
