import {
  childOf,
  duplicate,
  type FieldError,
  FieldPath,
  fieldErrorText,
  forbidden,
  invalid,
  omittedValue,
  required,
} from "@coxswain/apimachinery/field";
import { getOwn } from "@coxswain/apimachinery/own";
import { type Correlation, isList, isObject, keyedItems } from "@coxswain/apimachinery/structural-schema";
import { runAtOnce, type Steps } from "@coxswain/runtime/steps";
import { costLimitExceeded, type Rule, runtimeCostBudget } from "./rule-compiler.js";
import { evaluateMessage, ownMessage, ruleName } from "./rule-message.js";
import type { RuleTree } from "./rule-tree.js";

export interface CheckRulesOptions {
  readonly path?: FieldPath;
  /** What all rules together may cost. @default runtimeCostBudget */
  readonly budget?: number;
  /** The value and the one it replaces: faults of what did not change become warnings. @default nothing is ratcheted */
  readonly correlation?: Correlation;
  /** @default they are dropped */
  warn?(text: string): void;
}

export interface CheckedRules {
  readonly errors: readonly FieldError[];
  /** Negative once a rule could not be paid for. */
  readonly budget: number;
}

/** Runs the rules of a schema on a value. `old`: the value it replaces, undefined for a new one. */
export const checkRules = (
  tree: RuleTree,
  value: unknown,
  old: unknown,
  options: CheckRulesOptions = {},
): CheckedRules => runAtOnce(checkRulesInSteps(tree, value, old, options));

/** The same, others running between rules: the budget of an object's rules is about a second. */
export function* checkRulesInSteps(
  tree: RuleTree,
  value: unknown,
  old: unknown,
  { path, budget = runtimeCostBudget, correlation, warn }: CheckRulesOptions = {},
): Steps<CheckedRules> {
  const run = new RuleRun(budget, warn);
  yield* run.value(tree, value, old, { path, current: correlation, parent: undefined });
  return { errors: run.errors, budget: run.budget };
}

interface Place {
  readonly path: FieldPath | undefined;
  /** Undefined where the value cannot be correlated with an old one. */
  readonly current: Correlation | undefined;
  /** The innermost value around it that can. */
  readonly parent: Correlation | undefined;
}

const isUnchanged = ({ current, parent }: Place): boolean => (current ?? parent)?.isUnchanged === true;

function inMember(place: Place, path: FieldPath, name: string): Place {
  const { current, parent } = place;
  if (!current) return { ...place, path };
  // Kind and version of the whole never changed visibly: both objects were converted to the same.
  if (!parent && (name === "apiVersion" || name === "kind")) return { path, current: undefined, parent: undefined };
  return { path, current: current.key(name), parent: current };
}

function inItem(place: Place, index: number): Place {
  const path = place.path?.index(index);
  return place.current ? { path, current: place.current.index(index), parent: place.current } : { ...place, path };
}

/** What evaluations take: a rule by itself, and a unit of cost; and what finding the rules of a value takes. */
const ruleMicros = 5;
const microsPerCost = 0.1;
const valueMicros = 1;

class RuleRun {
  readonly errors: FieldError[] = [];
  budget: number;
  readonly #warn: ((text: string) => void) | undefined;

  constructor(budget: number, warn: ((text: string) => void) | undefined) {
    this.budget = budget;
    this.#warn = warn;
  }

  *value(tree: RuleTree, value: unknown, old: unknown, place: Place): Steps<void> {
    if (this.budget < 0 || value === null || value === undefined) return;
    if (tree.rules.length > 0 || tree.failed) yield* this.#rules(tree, value, old ?? undefined, place);
    if (isList(value)) yield* this.#items(tree, value, old, place);
    else if (isObject(value)) yield* this.#members(tree, value, old, place);
  }

  *#items(tree: RuleTree, list: readonly unknown[], old: unknown, place: Place): Steps<void> {
    if (!tree.items) return;
    const findOld = keyedItems(tree.schema, old);
    for (const [index, item] of list.entries()) {
      if (this.budget < 0) return;
      yield* this.value(tree.items, item, findOld(item), inItem(place, index));
      yield valueMicros;
    }
  }

  *#members(tree: RuleTree, object: Readonly<Record<string, unknown>>, old: unknown, place: Place): Steps<void> {
    if (!tree.additionalProperties && tree.properties.size === 0) return;
    for (const name of Object.keys(object)) {
      if (this.budget < 0) return;
      const own = tree.properties.get(name);
      const inner = own ?? tree.additionalProperties; // a schema has one of the two
      if (!inner) continue;
      const oldMember = isObject(old) ? getOwn<unknown>(old, name) : undefined;
      const path = own ? childOf(place.path, name) : place.path ? place.path.key(name) : FieldPath.of(name);
      yield* this.value(inner, getOwn<unknown>(object, name), oldMember, inMember(place, path, name));
      yield valueMicros;
    }
  }

  *#rules(tree: RuleTree, self: unknown, old: unknown, place: Place): Steps<void> {
    const type = tree.schema.type;
    if (tree.failed) {
      const reason = "failed to convert to declType for CEL validation rules";
      this.errors.push(invalid(place.path, type, `rule compiler initialization error: ${reason}`));
      return;
    }
    if (tree.rules.length > 0 && this.budget <= 0) {
      this.#exhaust(invalid(place.path, type, outOfBudget));
      return;
    }
    for (const rule of tree.rules) {
      const before = this.budget;
      this.#rule(rule, { type, self, old, place });
      if (this.budget < 0) return;
      yield ruleMicros + (before - this.budget) * microsPerCost;
    }
  }

  #rule(
    { source, compiled, fieldPath }: RuleTree["rules"][number],
    { type, self, old, place }: { type: string; self: unknown; old: unknown; place: Place },
  ): void {
    const { path } = place;
    const { program, error, usesOldSelf, message } = compiled;
    if (error) {
      this.errors.push(invalid(path, type, `rule compile error: ${error.detail}`));
      return;
    }
    if (!program || (usesOldSelf && old === undefined && source.optionalOldSelf !== true)) return;
    const outcome = program.evaluate(self, old);
    if (outcome.cost > this.budget) {
      this.#exhaust(invalid(path, type, outOfBudget));
      return;
    }
    this.budget -= outcome.cost;
    if (outcome.error !== undefined) {
      const fault = invalid(path, type, failureText(outcome.error, source));
      if (outcome.error.startsWith(costLimitExceeded)) this.#exhaust(fault);
      else this.errors.push(fault);
      return;
    }
    if (outcome.value === true) return;

    // The path is one text, as upstream makes it one name (k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/validation.go, NormalizedRuleFieldPath).
    const at = fieldPath === "" ? path : childOf(path, fieldPath);
    const report = (fault: FieldError): void => {
      if (!usesOldSelf && isUnchanged(place)) this.#warn?.(fieldErrorText(fault));
      else this.errors.push(fault);
    };
    const made = message?.program && evaluateMessage(message.program, source, { self, old }, this.budget);
    if (made?.kind === "exhausted") {
      report(invalid(at, type, made.detail));
      this.budget = -1;
      return;
    }
    if (made) this.budget = made.budget;
    const shown = type === "object" || type === "array" ? omittedValue : self;
    report(faultFor(source, at, shown, made?.text ?? ownMessage(source)));
  }

  #exhaust(fault: FieldError): void {
    this.errors.push(fault);
    this.budget = -1;
  }
}

const outOfBudget = "validation failed due to running out of cost budget, no further validation rules will be run";

function failureText(error: string, rule: Rule): string {
  if (error.startsWith("no such overload"))
    return `'${error}': call arguments did not match a supported operator, function or macro signature for rule: ${ruleName(rule)}`;
  if (error.startsWith(costLimitExceeded))
    return `'${error}': no further validation rules will be run due to call cost exceeds limit for rule: ${ruleName(rule)}`;
  return `${error} evaluating rule: ${ruleName(rule)}`;
}

function faultFor({ reason }: Rule, path: FieldPath | undefined, value: unknown, detail: string): FieldError {
  switch (reason) {
    case "FieldValueForbidden":
      return forbidden(path, detail);
    case "FieldValueRequired":
      return required(path, detail);
    case "FieldValueDuplicate":
      return duplicate(path, value);
    default:
      return invalid(path, value, detail);
  }
}
