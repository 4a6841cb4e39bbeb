import {
  type CallExpr,
  type ComprehensionExpr,
  type Expr,
  type ListExpr,
  type MapExpr,
  type StructExpr,
} from "../ast/expr.js";
import { operators } from "../ast/operators.js";
import { type CheckedExpr, functionOf } from "../checker/checked.js";
import { isBinding } from "../cost/estimate-cost.js";
import { costs } from "../cost/factors.js";
import { type CostTracker, type FunctionDeclaration } from "../declarations/function-declaration.js";
import { type TypeProvider } from "../declarations/type-provider.js";
import { type Type } from "../types/type.js";
import { equal } from "../values/equal.js";
import { CelError, ListValue, noSuchOverload, OpaqueValue, type Value } from "../values/value.js";
import { type Attribute, createAttribute, createConditional, type Qualifier } from "./attribute.js";
import { dispatch, evaluateCall } from "./call.js";
import { compareCost, standardTrackers } from "./call-cost.js";
import { createList, createMap, createStruct } from "./construct.js";
import { evaluateFold, readAccumulator } from "./fold.js";
import { constantMembership, conversions, ProgramError } from "./fold-constants.js";
import { type Evaluate, type Frame } from "./frame.js";
import { evaluateLogical } from "./logical.js";
import { invalidQualifier, isQualifier } from "./qualify.js";
import { specialPlans } from "./special-calls.js";

export interface PlanEnvironment {
  readonly functions: ReadonlyMap<string, FunctionDeclaration>;
  readonly provider: TypeProvider;
  readonly typeNames: ReadonlyMap<string, Type>;
  /** Whether has() costs 1. */
  readonly presenceTestHasCost: boolean;
  /** Compute what is constant once: upstream's OptOptimize, which changes costs and finds errors of literals early. */
  readonly foldConstants: boolean;
}

export interface Plan {
  readonly evaluate: Evaluate;
  /** How many variables of comprehensions there are. */
  readonly slots: number;
}

/** @throws ProgramError where a constant part fails */
export function plan(checked: CheckedExpr, environment: PlanEnvironment): Plan {
  const planner = new Planner(checked, environment);
  const { evaluate } = planner.plan(checked.expr);
  return { evaluate, slots: planner.slots };
}

/** A node, planned: a constant and an attribute can be distinguished, since what stands around them treats them differently. */
interface Step {
  readonly evaluate: Evaluate;
  readonly constant?: { readonly value: Value };
  readonly attribute?: Attribute;
}

const constantStep = (value: Value): Step => ({ evaluate: () => value, constant: { value } });

const attributeStep = (attribute: Attribute): Step => {
  const { resolve, isConditional } = attribute;
  if (isConditional) return { attribute, evaluate: resolve };
  const evaluate: Evaluate = (frame) => {
    frame.cost++;
    return resolve(frame);
  };
  return { attribute, evaluate };
};

class Planner {
  slots = 0;
  readonly #checked: CheckedExpr;
  readonly #environment: PlanEnvironment;
  /** How to read the variables of the comprehensions around a node; the innermost is last. */
  readonly #locals = new Map<string, Evaluate[]>();

  constructor(checked: CheckedExpr, environment: PlanEnvironment) {
    this.#checked = checked;
    this.#environment = environment;
  }

  plan(expr: Expr): Step {
    const reference = this.#checked.references.get(expr.id);
    if (expr.kind !== "struct" && reference?.kind === "ident") return this.#ident(expr, reference);
    switch (expr.kind) {
      case "literal":
        return constantStep(expr.value);
      case "select":
        return this.#select(expr.operand, expr.field, expr.testOnly);
      case "call":
        return this.#call(expr);
      case "list":
        return this.#list(expr);
      case "map":
        return this.#map(expr);
      case "struct":
        return this.#struct(expr);
      case "comprehension":
        return this.#comprehension(expr);
      default:
        throw new Error(`a ${expr.kind} node was not checked`);
    }
  }

  #ident(expr: Expr, { name, value }: { name: string; value: Value | undefined }): Step {
    if (value !== undefined) return constantStep(value);
    const local = this.#locals.get(name)?.at(-1);
    if (local !== undefined) return attributeStep(createAttribute(local));
    if (this.#checked.types.get(expr.id)?.kind === "type") {
      const type = this.#environment.provider.findType(name) ?? this.#environment.typeNames.get(name);
      if (type !== undefined) return constantStep(type);
    }
    const read = (frame: Frame): Value => {
      const bound = frame.bindings.get(name);
      return bound === undefined ? new CelError(`no such attribute(s): ${name}`, expr.id) : bound;
    };
    return attributeStep(createAttribute(read));
  }

  #select(operand: Expr, field: string, isTest: boolean): Step {
    const qualifier: Qualifier = { key: () => field, isOptional: false, isTest };
    const step = attributeStep(this.#attributeOf(this.plan(operand)).qualify(qualifier));
    if (!isTest || this.#environment.presenceTestHasCost || step.attribute === undefined) return step;
    const { attribute } = step;
    // The test itself is free, and a conditional never costs anything of its own.
    return { attribute, evaluate: attribute.isConditional ? lessOne(attribute.resolve) : attribute.resolve };
  }

  #attributeOf(step: Step): Attribute {
    return step.attribute ?? createAttribute(step.evaluate);
  }

  #call(expr: CallExpr): Step {
    const reference = functionOf(this.#checked, expr);
    if (reference === undefined) throw new Error(`call ${expr.id} was not checked`);
    const target = expr.target === undefined || reference.isQualified ? [] : [expr.target];
    const args = [...target, ...expr.args].map((arg) => this.plan(arg));
    const evaluators = args.map((arg) => arg.evaluate);
    const [first, second, third] = args as [Step, Step, Step];
    switch (reference.name) {
      case operators.logicalAnd:
        return { evaluate: evaluateLogical(evaluators, true, expr.id) };
      case operators.logicalOr:
        return { evaluate: evaluateLogical(evaluators, false, expr.id) };
      case operators.conditional:
        return attributeStep(createConditional(first.evaluate, this.#attributeOf(second), this.#attributeOf(third)));
      case operators.equals:
      case operators.notEquals: {
        const expected = reference.name === operators.equals;
        const track = this.#environment.functions.get(reference.name)?.trackCost;
        return { evaluate: evaluateEquals(first.evaluate, second.evaluate, { expected, track }) };
      }
      case operators.index:
        return this.#index(first, second, false);
      case operators.optIndex:
      case operators.optSelect:
        return this.#index(first, second, true);
      default:
        return this.#functionCall(expr, reference, args);
    }
  }

  #index(object: Step, index: Step, isOptional: boolean): Step {
    // Within a path, a key that is an attribute does not cost the 1 of an attribute by itself.
    const key = index.attribute?.resolve ?? index.evaluate;
    if (index.constant !== undefined && !isQualifier(index.constant.value))
      throw new ProgramError(invalidQualifier(index.constant.value));
    return attributeStep(this.#attributeOf(object).qualify({ key, isOptional, isTest: false }));
  }

  #functionCall(
    expr: CallExpr,
    reference: { name: string; overloads: readonly string[] },
    args: readonly Step[],
  ): Step {
    const declaration = this.#environment.functions.get(reference.name);
    if (declaration === undefined) throw new Error(`function ${reference.name} is not declared`);
    const evaluators = args.map((arg) => arg.evaluate);
    const overload = reference.overloads.length === 1 ? (reference.overloads[0] as string) : "";
    const special = specialPlans.get(reference.name);
    if (special !== undefined && special.overload === overload) return { evaluate: special.evaluate(evaluators) };
    const declared = declaration.overloads.find(({ id }) => id === overload);
    const prepared = this.#prepare(declaration, reference.overloads, args);
    const evaluate = evaluateCall({
      id: expr.id,
      args: evaluators,
      invoke: prepared ?? dispatch(declaration, reference.overloads),
      isPrepared: prepared !== undefined,
      isNonStrict: (declared ?? declaration.overloads[0])?.isNonStrict === true,
      trackCost: firstKnown([declared?.trackCost, declaration.trackCost, standardTrackers.get(overload)]),
    });
    return this.#folded({ name: reference.name, overload, args, evaluate });
  }

  /** What can be prepared of a call by its constant arguments. */
  #prepare(
    declaration: FunctionDeclaration,
    chosen: readonly string[],
    args: readonly Step[],
  ): ((args: Value[]) => Value) | undefined {
    const prepare = declaration.overloads.find(({ id }) => id === chosen[0])?.prepare;
    if (prepare === undefined || !this.#environment.foldConstants) return undefined;
    const prepared = prepare(args.map((arg) => arg.constant?.value));
    if (prepared instanceof CelError) throw new ProgramError(prepared);
    return prepared && ((values) => prepared(...values));
  }

  #folded(call: { name: string; overload: string; args: readonly Step[]; evaluate: Evaluate }): Step {
    const { name, overload, args, evaluate } = call;
    if (!this.#environment.foldConstants) return { evaluate };
    const [first, second] = args;
    if (overload === "in_list" && second?.constant?.value instanceof ListValue)
      return this.#constantMembership(first as Step, second.constant.value) ?? { evaluate };
    if (!conversions.has(name) || args.length !== 1 || first?.constant === undefined) return { evaluate };
    const value = evaluate(constantFrame());
    if (value instanceof CelError) throw new ProgramError(value);
    return constantStep(value);
  }

  /** `x in [1, 2]` with a constant list is a lookup, and costs nothing. */
  #constantMembership(element: Step, list: ListValue): Step | undefined {
    if (list.size === 0) return constantStep(false);
    const isMember = constantMembership(list);
    if (isMember === undefined) return undefined;
    const evaluate: Evaluate = (frame) => {
      const value = element.evaluate(frame);
      return value instanceof CelError ? value : isMember(value);
    };
    return { evaluate };
  }

  #list(expr: ListExpr): Step {
    const steps = expr.elements.map((element) => this.plan(element));
    const optionals = new Set(expr.optionals);
    const evaluate = charging(
      costs.createList,
      createList(
        steps.map((step, index) => ({ evaluate: step.evaluate, isOptional: optionals.has(index) })),
        expr.id,
      ),
    );
    return this.#constantOrNot(steps, evaluate);
  }

  #map(expr: MapExpr): Step {
    const entries = expr.entries.map(({ key, value, optional }) => ({
      key: this.plan(key),
      value: this.plan(value),
      optional,
    }));
    const evaluate = charging(
      costs.createMap,
      createMap(
        entries.map(({ key, value, optional }) => ({
          key: key.evaluate,
          evaluate: value.evaluate,
          isOptional: optional,
        })),
        expr.id,
      ),
    );
    return this.#constantOrNot(
      entries.flatMap(({ key, value }) => [key, value]),
      evaluate,
    );
  }

  #constantOrNot(parts: readonly Step[], evaluate: Evaluate): Step {
    if (!this.#environment.foldConstants || parts.some((part) => part.constant === undefined)) return { evaluate };
    const value = evaluate(constantFrame());
    return { evaluate: () => value, constant: { value } };
  }

  #struct(expr: StructExpr): Step {
    const reference = this.#checked.references.get(expr.id);
    const name = reference?.kind === "ident" ? reference.name : expr.typeName;
    const fields = expr.fields.map((field) => ({
      name: field.name,
      evaluate: this.plan(field.value).evaluate,
      isOptional: field.optional,
    }));
    return {
      evaluate: charging(costs.createStruct, createStruct(this.#environment.provider, { name, fields, id: expr.id })),
    };
  }

  #comprehension(expr: ComprehensionExpr): Step {
    const isGrowing = !isBinding(expr);
    const init = this.plan(expr.init).evaluate;
    const range = this.plan(expr.range).evaluate;
    const accumulator = this.slots++;
    const variable = this.slots++;
    const variable2 = expr.variable2 === undefined ? -1 : this.slots++;
    this.#push(expr.accumulator, readAccumulator(accumulator, init, isGrowing));
    this.#push(expr.variable, readSlot(variable));
    if (expr.variable2 !== undefined) this.#push(expr.variable2, readSlot(variable2));
    const condition = this.plan(expr.condition).evaluate;
    const step = this.plan(expr.step).evaluate;
    this.#pop(expr.variable);
    if (expr.variable2 !== undefined) this.#pop(expr.variable2);
    const result = this.plan(expr.result).evaluate;
    this.#pop(expr.accumulator);
    const fold = { range, init, condition, step, result, variable, variable2, accumulator, isGrowing };
    return { evaluate: (frame) => evaluateFold(frame, fold) };
  }

  #push(name: string, read: Evaluate): void {
    const stack = this.#locals.get(name);
    if (stack === undefined) this.#locals.set(name, [read]);
    else stack.push(read);
  }

  #pop(name: string): void {
    this.#locals.get(name)?.pop();
  }
}

const readSlot =
  (slot: number): Evaluate =>
  (frame) =>
    frame.locals[slot] as Value;

const lessOne =
  (evaluate: Evaluate): Evaluate =>
  (frame) => {
    const value = evaluate(frame);
    frame.cost--;
    return value;
  };

const charging =
  (cost: number, evaluate: Evaluate): Evaluate =>
  (frame) => {
    const value = evaluate(frame);
    frame.cost += cost;
    return value;
  };

interface Equality {
  /** True for `==`, false for `!=`. */
  readonly expected: boolean;
  readonly track: CostTracker | undefined;
}

function evaluateEquals(left: Evaluate, right: Evaluate, { expected, track }: Equality): Evaluate {
  return (frame) => {
    const a = left(frame);
    const b = right(frame);
    const isError = a instanceof CelError || b instanceof CelError;
    const result = isError ? (a instanceof CelError ? a : b) : answersEqual(a, b, expected);
    frame.cost += track?.([a, b], result) ?? compareCost(a, b);
    return result;
  };
}

/** Values of libraries may refuse to be compared: an error for `==`, a difference for `!=`. */
function answersEqual(a: Value, b: Value, expected: boolean): Value {
  if (a instanceof OpaqueValue && b !== null && a.canEqual?.(b) === false) return expected ? noSuchOverload() : true;
  return equal(a, b) === expected;
}

/** The first rule that knows the cost of a call; none where there are none. */
function firstKnown(trackers: readonly (CostTracker | undefined)[]): CostTracker | undefined {
  const known = trackers.filter((tracker) => tracker !== undefined);
  const [first, ...others] = known;
  if (first === undefined || others.length === 0) return first;
  return (args, result) => {
    for (const tracker of known) {
      const cost = tracker(args, result);
      if (cost !== undefined) return cost;
    }
    return undefined;
  };
}

/** For what is computed before evaluation: there are no variables, and it costs nothing. */
const constantFrame = (): Frame => ({
  bindings: new Map<string, Value>(),
  locals: [],
  cost: 0,
  costLimit: Number.POSITIVE_INFINITY,
  isInterrupted: undefined,
  steps: 0,
});
