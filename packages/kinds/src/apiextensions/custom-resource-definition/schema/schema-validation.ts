import type { DeepReadonly } from "@coxswain/api";
import type { CustomResourceValidation } from "@coxswain/api/apiextensions/v1";
import { append } from "@coxswain/apimachinery/append";
import { type FieldError, type FieldPath, forbidden, invalid } from "@coxswain/apimachinery/field";
import { wasGivenEmpty } from "@coxswain/apimachinery/json";
import { readStructuralInSteps, type Structural } from "@coxswain/apimachinery/structural-schema";
import type { Steps } from "@coxswain/runtime/steps";
import type { DefinitionRules } from "../definition-rules.js";
import { checkDefaults } from "./default-validation.js";
import { checkOpenApi, SchemaErrors } from "./open-api-validation.js";
import { goNames, printedSchema } from "./printed-schema.js";
import { checkTotalCost, rootRulePlace } from "./rule-validation.js";
import type { Schema } from "./schema-walk.js";
import { structuralProblemInSteps } from "./structural-problem.js";
import { checkStructural } from "./structural-validation.js";

/** Whether a schema is one, and a structural one whose expressions compile. */
export function* checkSchema(
  { openAPIV3Schema: schema }: DeepReadonly<CustomResourceValidation>,
  path: FieldPath,
  hasStatus: boolean,
  rules: DefinitionRules,
): Steps<FieldError[]> {
  if (!schema) return [];
  const here = path.child("openAPIV3Schema");
  const problem = rules.structural ? yield* structuralProblemInSteps(schema) : undefined;
  const errors = hasStatus ? checkRoot(schema, path) : [];
  if (schema.nullable)
    errors.push(forbidden(path.child("openAPIV3Schema.nullable"), "nullable cannot be true at the root"));
  const isReadable = rules.structural && problem === undefined;
  const node = isReadable ? yield* readStructuralInSteps(schema) : undefined;
  const structure = node ? yield* checkStructure(schema, node, here, rules) : [];
  // Expressions have no types where the schema is not structural.
  const expressions =
    node && structure.length === 0 && rules.expressions ? rootRulePlace(schema, node, rules.expressions) : undefined;
  const found = new SchemaErrors();
  yield* checkOpenApi(schema, here, { rules, isRoot: true, isMeta: false, ...(expressions && { expressions }) }, found);
  append(errors, [...structure, ...found.schema, ...found.expressions]);
  if (errors.length === 0 && problem !== undefined) errors.push(invalid(here, "", problem));
  return expressions ? [...errors, ...checkTotalCost(expressions.total, here)] : errors;
}

function* checkStructure(
  schema: Schema,
  node: Structural,
  path: FieldPath,
  { prunedDefaults, expressions }: DefinitionRules,
): Steps<FieldError[]> {
  const errors = yield* checkStructural(schema, path);
  if (errors.length > 0) return errors;
  return yield* checkDefaults(node, path, { pruned: prunedDefaults, compiler: expressions?.compiler });
}

const allowedAtRoot = [
  "Description",
  "Type",
  "Format",
  "Title",
  "Maximum",
  "ExclusiveMaximum",
  "Minimum",
  "ExclusiveMinimum",
  "MaxLength",
  "MinLength",
  "Pattern",
  "MaxItems",
  "MinItems",
  "UniqueItems",
  "MultipleOf",
  "Required",
  "Items",
  "Properties",
  "ExternalDocs",
  "Example",
  "XPreserveUnknownFields",
  "XValidations",
];

/** The status is checked by the part of the schema that is for it, so the whole may not ask more of it. Only the first error is reported. */
function checkRoot(schema: Schema, path: FieldPath): FieldError[] {
  for (const [member, goName] of goNames) {
    if (schema[member] === undefined && !wasGivenEmpty(schema, member)) continue;
    if (member === "type") {
      if (schema.type !== "object")
        return [
          invalid(
            path.child("openAPIV3Schema.type"),
            schema.type,
            'only "object" is allowed as the type at the root of the schema if the status subresource is enabled',
          ),
        ];
    } else if (!allowedAtRoot.includes(goName)) {
      return [
        invalid(
          path.child("openAPIV3Schema"),
          printedSchema(schema),
          `only [${allowedAtRoot.join(" ")}] fields are allowed at the root of the schema if the status subresource is enabled`,
        ),
      ];
    }
  }
  return [];
}
