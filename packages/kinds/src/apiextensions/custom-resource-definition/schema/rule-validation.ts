import {
  type FieldError,
  type FieldPath,
  forbidden,
  internalError,
  invalid,
  required,
} from "@coxswain/apimachinery/field";
import type { Structural } from "@coxswain/apimachinery/structural-schema";
import type { Steps } from "@coxswain/runtime/steps";
import {
  type CompiledRule,
  compileInSteps,
  ruleCostLimit,
  schemaCostLimit,
} from "../../../validation-rules/rule-compiler.js";
import type { ExpressionRules } from "../definition-rules.js";
import { printedRule } from "./printed-schema.js";
import { elementsOf, multiplyCost, TotalCost, tooExpensive } from "./rule-costs.js";
import type { Schema } from "./schema-walk.js";

/** What the rules of one place in a schema depend on. */
export interface RulePlace {
  readonly expressions: ExpressionRules;
  readonly node: Structural;
  /** How often a value of this schema may occur in one object; undefined for without limit. */
  readonly cardinality: number | undefined;
  readonly total: TotalCost;
  readonly parent: RulePlace | undefined;
  /** Whether a rule stands here or above. */
  readonly inScope: boolean;
}

export const rootRulePlace = (schema: Schema, node: Structural, expressions: ExpressionRules): RulePlace => ({
  expressions,
  node,
  cardinality: 1,
  total: new TotalCost(),
  parent: undefined,
  inScope: hasRules(schema),
});

const hasRules = (schema: Schema): boolean => (schema["x-kubernetes-validations"] ?? []).length > 0;

/** The place of a schema inside of `outer`; undefined for none. */
export function innerRulePlace(
  place: RulePlace | undefined,
  outer: Schema,
  inner: Schema,
  node: Structural | boolean | undefined,
): RulePlace | undefined {
  if (!place || typeof node !== "object") return undefined;
  const elements = elementsOf(outer);
  const unlimited = place.cardinality === undefined || elements === undefined;
  return {
    ...place,
    node,
    cardinality: unlimited ? undefined : multiplyCost(place.cardinality, elements),
    parent: place,
    inScope: place.inScope || hasRules(inner),
  };
}

/** A place below one of no type has none either, where a rule stands above. */
const isTyped = (place: RulePlace): boolean =>
  (!place.parent?.inScope || isTyped(place.parent)) && place.expressions.compiler.hasType(place.node);

/** Whether the expressions of a schema compile, and are cheap enough. `uncorrelated`: what keeps `oldSelf` from being known. */
export function* checkExpressions(
  schema: Schema,
  path: FieldPath,
  place: RulePlace,
  uncorrelated: FieldPath | undefined,
): Steps<FieldError[]> {
  const { compiler, stored } = place.expressions;
  const rules = schema["x-kubernetes-validations"] ?? [];
  const compiled = isTyped(place)
    ? yield* compileInSteps(compiler, {
        schema: place.node,
        rules,
        isResource: place.parent === undefined || place.node.embeddedResource,
        isStored: (expression, member) => stored[member].has(expression),
      })
    : undefined;
  if (!compiled)
    return [
      internalError(
        path,
        "internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations",
      ),
    ];
  return compiled.flatMap((one, at) => checkCompiled(one, schema, { at, path: path.index(at), place, uncorrelated }));
}

interface RuleInPlace {
  readonly at: number;
  readonly path: FieldPath;
  readonly place: RulePlace;
  readonly uncorrelated: FieldPath | undefined;
}

function checkCompiled(
  compiled: CompiledRule,
  schema: Schema,
  { at, path, place, uncorrelated }: RuleInPlace,
): FieldError[] {
  const rule = schema["x-kubernetes-validations"]?.[at];
  if (!rule) return [];
  const { error, message, usesOldSelf } = compiled;
  const [rulePath, messagePath] = [path.child("rule"), path.child("messageExpression")];
  const errors: FieldError[] = [];
  const observe = (where: FieldPath, what: string, cost: number): void => {
    if (!place.expressions.anyCost && cost > ruleCostLimit)
      errors.push(forbidden(where, tooExpensive(what, cost, ruleCostLimit)));
    place.total.add(where, cost);
  };
  observe(
    rulePath,
    "estimated rule cost",
    multiplyCost(compiled.maxCost, place.cardinality ?? compiled.maxCardinality),
  );
  if (error)
    errors.push(
      error.kind === "required" ? required(rulePath, error.detail) : invalid(rulePath, printedRule(rule), error.detail),
    );
  if (message?.error !== undefined) errors.push(invalid(messagePath, printedRule(rule), message.error));
  else if (message) observe(messagePath, "estimated messageExpression cost", message.maxCost);
  if (usesOldSelf && uncorrelated)
    errors.push(
      invalid(
        rulePath,
        rule.rule,
        `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelated.toString()}`,
      ),
    );
  if (!usesOldSelf && rule.optionalOldSelf !== undefined)
    errors.push(
      invalid(path.child("optionalOldSelf"), rule.optionalOldSelf, "may not be set if oldSelf is not used in rule"),
    );
  return errors;
}

/** Whether all rules of a schema together are cheap enough. */
export function checkTotalCost({ total, expensive }: TotalCost, path: FieldPath): FieldError[] {
  if (total <= schemaCostLimit) return [];
  const blamed = "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema";
  const what = "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema";
  return [
    ...expensive.map((where) => forbidden(where, blamed)),
    forbidden(path, tooExpensive(what, total, schemaCostLimit)),
  ];
}
