import type { DeepReadonly } from "@coxswain/api";
import type { CustomResourceDefinition } from "@coxswain/api/apiextensions/v1";
import { append } from "@coxswain/apimachinery/append";
import { type FieldError, fieldErrorsText, fieldPath, invalid } from "@coxswain/apimachinery/field";
import type { Steps } from "@coxswain/runtime/steps";
import {
  findCondition,
  isSameCondition,
  type Status,
  type WantedCondition,
  withCondition,
  withoutCondition,
} from "./conditions.js";
import { structuralProblemInSteps } from "./schema/structural-problem.js";
import { checkStructural } from "./schema/structural-validation.js";

type Definition = DeepReadonly<Pick<CustomResourceDefinition, "spec" | "status">>;

/** The status that reports whether the schemas are structural, by what `findViolations` found; undefined where it does already. */
export function planNonStructural(
  definition: Definition,
  wanted: WantedCondition | undefined,
  now: number,
): Status | undefined {
  const { status = {} } = definition;
  const old = findCondition(definition, "NonStructuralSchema");
  if (!wanted) return old && withoutCondition(status, "NonStructuralSchema");
  return isSameCondition(wanted, old) ? undefined : withCondition(status, wanted, now);
}

/** The condition of a definition whose schemas are not structural; undefined where they are. Depends on nothing but its spec. */
export function* findViolations({ spec }: Pick<Definition, "spec">): Steps<WantedCondition | undefined> {
  const type = "NonStructuralSchema";
  const errors: FieldError[] = spec.preserveUnknownFields
    ? [invalid(fieldPath("spec", "preserveUnknownFields"), true, "must be false")]
    : [];
  for (const [at, { name, schema }] of (spec.versions ?? []).entries()) {
    const structure = schema?.openAPIV3Schema;
    if (!structure) continue;
    const problem = yield* structuralProblemInSteps(structure);
    if (problem !== undefined)
      return {
        type,
        status: "Unknown",
        reason: "StructuralError",
        message: `failed to check validation schema for version ${name}: ${problem}`,
      };
    append(
      errors,
      yield* checkStructural(structure, fieldPath("spec", "versions").index(at).child("schema", "openAPIV3Schema")),
    );
  }
  const message = fieldErrorsText(errors);
  return message === undefined ? undefined : { type, status: "True", reason: "Violations", message };
}
