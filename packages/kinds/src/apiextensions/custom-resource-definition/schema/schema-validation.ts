import type { DeepReadonly } from "@coxswain/api";
import type { CustomResourceValidation } from "@coxswain/api/apiextensions/v1";
import { type FieldError, type FieldPath, forbidden, invalid } from "@coxswain/apimachinery/field";
import { wasGivenEmpty } from "@coxswain/apimachinery/json";
import type { DefinitionRules } from "../definition-rules.js";
import { checkDefaults } from "./default-validation.js";
import { checkOpenApi } from "./open-api-validation.js";
import { goNames, printedSchema } from "./printed-schema.js";
import type { Schema } from "./schema-walk.js";
import { structuralProblem } from "./structural-problem.js";
import { checkStructural } from "./structural-validation.js";

/** Whether a schema is one, and a structural one. That its expressions compile is not checked here. */
export function checkSchema(
  { openAPIV3Schema: schema }: DeepReadonly<CustomResourceValidation>,
  path: FieldPath,
  hasStatus: boolean,
  rules: DefinitionRules,
): FieldError[] {
  if (!schema) return [];
  const here = path.child("openAPIV3Schema");
  const problem = rules.structural ? structuralProblem(schema) : undefined;
  const errors = hasStatus ? checkRoot(schema, path) : [];
  if (schema.nullable)
    errors.push(forbidden(path.child("openAPIV3Schema.nullable"), "nullable cannot be true at the root"));
  if (rules.structural && problem === undefined) errors.push(...checkStructure(schema, here, rules));
  errors.push(...checkOpenApi(schema, here, { rules, isRoot: true, isMeta: false }));
  return errors.length === 0 && problem !== undefined ? [invalid(here, "", problem)] : errors;
}

function checkStructure(schema: Schema, path: FieldPath, { prunedDefaults }: DefinitionRules): FieldError[] {
  const errors = checkStructural(schema, path);
  return errors.length === 0 ? checkDefaults(schema, path, { pruned: prunedDefaults }) : errors;
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

/** The status is checked by the part of the schema that is for it, so the whole may not ask more of it. Only the first fault is told. */
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
