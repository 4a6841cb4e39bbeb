import { getOwn, ownEntries } from "@coxswain/apimachinery/own";
import type { Budget } from "../languages/budget.js";
import { runFilter } from "../languages/jq/evaluate.js";
import { parseFilter } from "../languages/jq/parse.js";
import type { Filter } from "../languages/jq/syntax.js";
import type { SelectedObject } from "./selected-object.js";
import type { MatchExpression, StageSpec } from "./stage-object.js";

/** Whether a Stage selects an object. @throws OverBudget */
export type StageMatcher = (object: SelectedObject, budget: Budget) => boolean;

const operators = ["In", "NotIn", "Exists", "DoesNotExist"] as const;
type Operator = (typeof operators)[number];

interface Requirement {
  readonly filter: Filter;
  readonly operator: Operator;
  readonly values: readonly string[];
}

/** Compiles a selector; all its parts must match. @throws Error for `fail`'s words at the place that is wrong */
export function compileSelector(
  selector: NonNullable<StageSpec["selector"]>,
  fail: (place: string, problem: string) => never,
): StageMatcher {
  const labels = ownEntries(selector.matchLabels);
  const annotations = ownEntries(selector.matchAnnotations);
  const requirements = (selector.matchExpressions ?? []).map((expression, i) =>
    compileRequirement(expression, (problem) => fail(`spec.selector.matchExpressions[${i}]`, problem)),
  );
  return (object, budget) =>
    labels.every(([key, value]) => getOwn(object.metadata?.labels, key) === value) &&
    annotations.every(([key, value]) => getOwn(object.metadata?.annotations, key) === value) &&
    requirements.every((requirement) => isMet(requirement, object, budget));
}

function compileRequirement(expression: MatchExpression, fail: (problem: string) => never): Requirement {
  if (expression.cel !== undefined && expression.jq === undefined)
    return fail("expressions of CEL are not supported; use jq");
  const { key = "", operator = "", values = [] } = expression.jq ?? expression;
  if (key === "") return fail("invalid expression: there is no key");
  const known = operators.find((each) => each === operator);
  if (!known) return fail(`operator ${JSON.stringify(operator)} is not supported`);
  const takesValues = known === "In" || known === "NotIn";
  if (takesValues && values.length === 0) return fail("for 'in', 'notin' operators, values set can't be empty");
  if (!takesValues && values.length > 0) return fail("values set must be empty for exists and does not exist");
  return { filter: compileFilter(key, fail), operator: known, values };
}

/** The filter of an expression. */
export function compileFilter(source: string, fail: (problem: string) => never): Filter {
  try {
    return parseFilter(source);
  } catch (error) {
    return fail(`jq expression ${JSON.stringify(source)}: ${(error as Error).message}`);
  }
}

/** Only texts, booleans and numbers that jq counted are compared: numbers of the object itself never equal a value, as in KWOK. */
const isAmong = (value: unknown, values: readonly string[]): boolean =>
  (typeof value === "string" || typeof value === "boolean" || typeof value === "bigint") &&
  values.includes(String(value));

function isMet({ filter, operator, values }: Requirement, object: SelectedObject, budget: Budget): boolean {
  const found = runFilter(filter, object, budget) ?? [];
  switch (operator) {
    case "In":
      return found.some((value) => isAmong(value, values));
    case "NotIn":
      return !found.some((value) => isAmong(value, values));
    case "Exists":
      return found.length > 0;
    case "DoesNotExist":
      return found.length === 0;
  }
}
