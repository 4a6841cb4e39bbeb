import type { DeepReadonly } from "@coxswain/api";
import type { MatchCondition, MatchResources } from "@coxswain/api/admissionregistration/v1";
import { append } from "@coxswain/apimachinery/append";
import { duplicate, type FieldError, type FieldPath, required, tooMany } from "@coxswain/apimachinery/field";
import { validateLabelSelector } from "@coxswain/apimachinery/validation";
import type { Steps } from "@coxswain/runtime/steps";
import { checkOneOf, checkQualifiedNameAt } from "../checks/field-errors.js";
import type { ExpressionChecks } from "./expression-checks.js";
import { checkNamedRule } from "./rule-validation.js";

const mostConditions = 64;

/** Which requests a policy or webhook is for. */
export function* checkMatchConditions(
  conditions: readonly DeepReadonly<MatchCondition>[],
  path: FieldPath,
  checks: Pick<ExpressionChecks, "condition">,
): Steps<FieldError[]> {
  const errors: FieldError[] =
    conditions.length > mostConditions ? [tooMany(path, conditions.length, mostConditions)] : [];
  const names = new Set<string>();
  for (const [at, { name, expression }] of conditions.entries()) {
    const here = path.index(at);
    const trimmed = expression.trim();
    append(
      errors,
      trimmed === ""
        ? [required(here.child("expression"))]
        : yield* checks.condition(trimmed, here.child("expression")),
    );
    append(errors, name === "" ? [required(here.child("name"))] : checkQualifiedNameAt(name, here.child("name")));
    if (name !== "" && names.has(name)) errors.push(duplicate(here.child("name"), name));
    names.add(name);
  }
  return errors;
}

export const checkMatchPolicy = (policy: string, path: FieldPath): readonly FieldError[] =>
  checkOneOf(policy, ["Equivalent", "Exact"], path);

export const checkFailurePolicy = (policy: string, path: FieldPath): readonly FieldError[] =>
  checkOneOf(policy, ["Fail", "Ignore"], path);

export function checkMatchResources(
  {
    matchPolicy,
    namespaceSelector,
    objectSelector,
    resourceRules = [],
    excludeResourceRules = [],
  }: DeepReadonly<MatchResources>,
  path: FieldPath,
): FieldError[] {
  return [
    ...(matchPolicy === undefined
      ? [required(path.child("matchPolicy"))]
      : checkMatchPolicy(matchPolicy, path.child("matchPolicy"))),
    ...Object.entries({ namespaceSelector, objectSelector }).flatMap(([member, selector]) =>
      selector ? validateLabelSelector(selector, path.child(member)) : [required(path.child(member))],
    ),
    ...resourceRules.flatMap((rule, at) => checkNamedRule(rule, path.child("resourceRules").index(at))),
    ...excludeResourceRules.flatMap((rule, at) => checkNamedRule(rule, path.child("excludeResourceRules").index(at))),
  ];
}
