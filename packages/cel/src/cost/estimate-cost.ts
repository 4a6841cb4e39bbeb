import { type CallExpr, type ComprehensionExpr, type Expr } from "../ast/expr.js";
import { type CheckedExpr, functionOf, typeOfExpr, variableOf } from "../checker/checked.js";
import {
  addEstimates,
  type CallEstimate,
  type CallEstimator,
  type CostEstimate,
  type CostEstimator,
  type CostNode,
  fixed,
  maxCost,
  multiplyByFactor,
  multiplyEstimates,
  noCost,
  type SizeEstimate,
  unionEstimates,
  unknownSize,
} from "../declarations/estimate.js";
import { codePointLength } from "../source/source.js";
import { isOptional, type Type } from "../types/type.js";
import { type EntrySize, unionEntrySizes } from "./entry-size.js";
import { costs } from "./factors.js";
import { standardCall } from "./standard-calls.js";

export interface CostOptions {
  readonly estimator: CostEstimator;
  /** Estimators that overloads declare, by overload id. */
  readonly callEstimators: ReadonlyMap<string, CallEstimator>;
  /** Estimators of functions, by name, for overloads without one. */
  readonly functionEstimators: ReadonlyMap<string, CallEstimator>;
  /** Whether has() costs 1; in Kubernetes it costs nothing. @default true */
  readonly presenceTestHasCost?: boolean;
}

/** The least and most that evaluating the expression may cost. */
export const estimateCost = (checked: CheckedExpr, options: CostOptions): CostEstimate =>
  new Coster(checked, options).cost(checked.expr);

interface LocalVariable {
  readonly path: readonly string[];
  readonly size: SizeEstimate | undefined;
  readonly entries: EntrySize | undefined;
}

const identCost = fixed(costs.selectAndIdent);

class Coster {
  readonly #checked: CheckedExpr;
  readonly #options: CostOptions;
  readonly #paths = new Map<number, readonly string[]>();
  readonly #sizes = new Map<number, SizeEstimate>();
  readonly #entries = new Map<number, EntrySize>();
  readonly #locals = new Map<string, LocalVariable[]>();

  constructor(checked: CheckedExpr, options: CostOptions) {
    this.#checked = checked;
    this.#options = options;
  }

  cost(expr: Expr): CostEstimate {
    const variable = variableOf(this.#checked, expr);
    if (variable !== undefined) return this.#variable(expr, variable);
    switch (expr.kind) {
      case "select":
        return this.#select(expr, expr.operand, expr.testOnly ? undefined : expr.field);
      case "call":
        return this.#call(expr);
      case "list": {
        const cost = this.#sum(expr.elements);
        const value = this.#unionOfSizes(expr.elements);
        this.#entries.set(expr.id, { container: "list", key: fixed(1), value });
        return addEstimates(cost, fixed(costs.createList));
      }
      case "map": {
        const keys = expr.entries.map((entry) => entry.key);
        const values = expr.entries.map((entry) => entry.value);
        const cost = addEstimates(this.#sum(keys), this.#sum(values));
        const sizes = { key: this.#unionOfSizes(keys), value: this.#unionOfSizes(values) };
        this.#entries.set(expr.id, { container: "map", ...sizes });
        return addEstimates(cost, fixed(costs.createMap));
      }
      case "struct":
        return addEstimates(this.#sum(expr.fields.map((field) => field.value)), fixed(costs.createStruct));
      case "comprehension":
        return isBinding(expr) ? this.#binding(expr) : this.#comprehension(expr);
      default:
        return noCost;
    }
  }

  #sum(exprs: readonly Expr[]): CostEstimate {
    return exprs.reduce<CostEstimate>((sum, expr) => addEstimates(sum, this.cost(expr)), noCost);
  }

  #unionOfSizes(exprs: readonly Expr[]): SizeEstimate {
    if (exprs.length === 0) return fixed(0);
    return exprs.map((expr) => this.#sizeOrUnknown(expr)).reduce(unionEstimates);
  }

  #variable(expr: Expr, name: string): CostEstimate {
    this.#paths.set(expr.id, this.#local(name)?.path ?? [name]);
    return identCost;
  }

  #select(expr: Expr, operand: Expr, field: string | undefined): CostEstimate {
    if (field === undefined) {
      const test = this.#options.presenceTestHasCost === false ? noCost : fixed(costs.selectAndIdent);
      return addEstimates(test, this.cost(operand));
    }
    let cost = this.cost(operand);
    const { kind } = this.#type(operand);
    if (kind === "map" || kind === "struct" || kind === "type_param") cost = addEstimates(cost, identCost);
    this.#paths.set(expr.id, [...this.#path(operand), field]);
    return cost;
  }

  #call(expr: CallExpr): CostEstimate {
    const reference = functionOf(this.#checked, expr);
    const [only] = expr.args;
    if (expr.function === "dyn" && only !== undefined) {
      const cost = addEstimates(fixed(1), this.cost(only));
      this.#copySizes(expr, only);
      return cost;
    }
    const argCosts = expr.args.map((arg) => this.cost(arg));
    const args = expr.args.map((arg) => this.#node(arg));
    if (reference === undefined) return noCost;
    const hasTarget = expr.target !== undefined && !reference.isQualified;
    const targetCost = hasTarget ? this.cost(expr.target as Expr) : noCost;
    const target = hasTarget ? this.#node(expr.target as Expr) : undefined;
    let cost: CostEstimate = { min: maxCost, max: 0n };
    let resultSize: SizeEstimate | undefined;
    for (const overload of reference.overloads) {
      const call = this.#overloadCost(expr, { function: reference.name, overload, target, args }, argCosts);
      cost = unionEstimates(cost, call.cost);
      if (call.resultSize !== undefined)
        resultSize = resultSize === undefined ? call.resultSize : unionEstimates(resultSize, call.resultSize);
      if ((overload === "index_list" || overload === "index_map") && only !== undefined) {
        resultSize = this.#entrySize(only)?.value;
        this.#paths.set(expr.id, [...this.#path(only), overload === "index_list" ? "@items" : "@values"]);
      }
      resultSize ??= this.#size(expr);
    }
    if (resultSize !== undefined) this.#sizes.set(expr.id, resultSize);
    return addEstimates(targetCost, cost);
  }

  #overloadCost(
    expr: Expr,
    call: { function: string; overload: string; target: CostNode | undefined; args: readonly CostNode[] },
    argCosts: readonly CostEstimate[],
  ): CallEstimate {
    const { overload, target, args } = call;
    const { estimator, callEstimators } = this.#options;
    const withArgs = ({ cost, resultSize }: CallEstimate): CallEstimate => ({
      cost: argCosts.reduce(addEstimates, cost),
      resultSize,
    });
    const declared =
      callEstimators.get(overload)?.(estimator, target, args) ??
      this.#options.functionEstimators.get(call.function)?.(estimator, target, args) ??
      estimator.estimateCall?.(call);
    if (declared !== undefined) return withArgs(declared);
    switch (overload) {
      case "logical_and":
      case "logical_or": {
        const [left, right] = argCosts as [CostEstimate, CostEstimate];
        return { cost: { min: left.min, max: addEstimates(left, right).max } };
      }
      case "conditional":
        return this.#conditional(expr, args, argCosts);
      case "add_string":
      case "add_bytes":
      case "add_list":
        return withArgs(this.#concatenation(expr, overload, args));
      default:
        return withArgs(standardCall(overload, target, args) ?? { cost: fixed(1) });
    }
  }

  #conditional(expr: Expr, args: readonly CostNode[], argCosts: readonly CostEstimate[]): CallEstimate {
    const [, whenTrue, whenFalse] = args as [CostNode, CostNode, CostNode];
    const [condition, trueCost, falseCost] = argCosts as [CostEstimate, CostEstimate, CostEstimate];
    this.#setEntrySize(expr, unionEntrySizes(this.#entrySize(whenTrue.expr), this.#entrySize(whenFalse.expr)));
    return {
      cost: addEstimates(condition, unionEstimates(trueCost, falseCost)),
      resultSize: unionEstimates(whenTrue.size ?? unknownSize, whenFalse.size ?? unknownSize),
    };
  }

  #concatenation(expr: Expr, overload: string, args: readonly CostNode[]): CallEstimate {
    const [left, right] = args as [CostNode, CostNode];
    const resultSize = addEstimates(left.size ?? unknownSize, right.size ?? unknownSize);
    this.#setEntrySize(expr, unionEntrySizes(this.#entrySize(left.expr), this.#entrySize(right.expr)));
    // Lists are concatenated without a copy.
    const cost = overload === "add_list" ? fixed(1) : multiplyByFactor(resultSize, costs.stringTraversal);
    return { cost, resultSize };
  }

  #comprehension(expr: ComprehensionExpr): CostEstimate {
    let cost = addEstimates(this.cost(expr.range), this.cost(expr.init));
    this.#pushLocal(expr.accumulator, this.#bindingOf(expr.init));
    this.#pushIteration(expr);
    const loop = this.cost(expr.condition);
    const step = this.cost(expr.step);
    this.#popLocal(expr.variable);
    if (expr.variable2 !== undefined) this.#popLocal(expr.variable2);
    cost = addEstimates(cost, this.cost(expr.result));
    this.#popLocal(expr.accumulator);
    const count = this.#sizeOrUnknown(expr.range);
    cost = addEstimates(cost, multiplyEstimates(count, addEstimates(step, loop)));
    if (expr.init.kind === "literal") {
      const size = this.#size(expr.init);
      if (size !== undefined) this.#sizes.set(expr.id, size);
    } else if (expr.init.kind === "list" || expr.init.kind === "map") {
      this.#sizes.set(expr.id, count);
      this.#setEntrySize(expr, this.#entrySize(expr.step));
    }
    return cost;
  }

  #binding(expr: ComprehensionExpr): CostEstimate {
    let cost = addEstimates(this.cost(expr.range), this.cost(expr.init));
    this.#pushLocal(expr.accumulator, this.#bindingOf(expr.init));
    cost = addEstimates(cost, this.cost(expr.result));
    this.#popLocal(expr.accumulator);
    this.#copySizes(expr, expr.result);
    return cost;
  }

  #bindingOf(init: Expr): LocalVariable {
    return { path: this.#path(init), size: this.#size(init), entries: this.#entrySize(init) };
  }

  #pushIteration(expr: ComprehensionExpr): void {
    const entries = this.#entrySize(expr.range);
    const isList = (entries?.container ?? this.#type(expr.range).kind) === "list";
    const path = this.#path(expr.range);
    const local = (part: string, size: SizeEstimate | undefined): LocalVariable => ({
      path: [...path, part],
      size,
      entries: undefined,
    });
    if (expr.variable2 === undefined) {
      const single = isList ? local("@items", entries?.value) : local("@keys", entries?.key);
      this.#pushLocal(expr.variable, single);
      return;
    }
    this.#pushLocal(expr.variable, local(isList ? "@indices" : "@keys", entries?.key));
    this.#pushLocal(expr.variable2, local(isList ? "@items" : "@values", entries?.value));
  }

  #pushLocal(name: string, local: LocalVariable): void {
    const stack = this.#locals.get(name);
    if (stack === undefined) this.#locals.set(name, [local]);
    else stack.push(local);
  }

  #popLocal(name: string): void {
    this.#locals.get(name)?.pop();
  }

  #local(name: string): LocalVariable | undefined {
    return this.#locals.get(name)?.at(-1);
  }

  #localOf(expr: Expr): LocalVariable | undefined {
    const name = variableOf(this.#checked, expr);
    return name === undefined ? undefined : this.#local(name);
  }

  #type(expr: Expr): Type {
    return typeOfExpr(this.#checked, expr);
  }

  #path(expr: Expr): readonly string[] {
    return this.#localOf(expr)?.path ?? this.#paths.get(expr.id) ?? [];
  }

  #node(expr: Expr): CostNode {
    const path = this.#path(expr);
    // Accumulators are no part of a variable.
    const isHidden = path[0] === "@result" || path[0] === "__result__";
    return { path: isHidden ? [] : path, type: this.#type(expr), expr, size: this.#size(expr) };
  }

  #sizeOrUnknown(expr: Expr): SizeEstimate {
    return this.#size(expr) ?? unknownSize;
  }

  #size(expr: Expr): SizeEstimate | undefined {
    const known = this.#sizes.get(expr.id) ?? literalSize(expr);
    if (known !== undefined) return known;
    const type = this.#type(expr);
    const path = this.#path(expr);
    const estimated = this.#options.estimator.estimateSize({ expr, path, type, size: undefined });
    if (estimated !== undefined) {
      this.#sizes.set(expr.id, estimated);
      return estimated;
    }
    return isScalar(type) ? fixed(1) : this.#localOf(expr)?.size;
  }

  #entrySize(expr: Expr): EntrySize | undefined {
    return this.#entries.get(expr.id) ?? this.#localOf(expr)?.entries;
  }

  #setEntrySize(expr: Expr, entries: EntrySize | undefined): void {
    if (entries !== undefined) this.#entries.set(expr.id, entries);
  }

  #copySizes(to: Expr, from: Expr): void {
    const size = this.#size(from);
    if (size !== undefined) this.#sizes.set(to.id, size);
    this.#setEntrySize(to, this.#entrySize(from));
  }
}

/** cel.bind and its like: a fold over nothing, whose result is what counts. */
export const isBinding = (expr: ComprehensionExpr): boolean =>
  expr.range.kind === "list" &&
  expr.range.elements.length === 0 &&
  expr.condition.kind === "literal" &&
  expr.condition.value === false;

function literalSize(expr: Expr): SizeEstimate | undefined {
  switch (expr.kind) {
    case "literal":
      if (typeof expr.value === "string") return fixed(codePointLength(expr.value));
      return fixed(expr.value instanceof Uint8Array ? expr.value.length : 1);
    case "list":
      return fixed(expr.elements.length);
    case "map":
      return fixed(expr.entries.length);
    default:
      return undefined;
  }
}

/** Of a size that is known from the type alone. */
function isScalar(type: Type): boolean {
  switch (type.kind) {
    case "bool":
    case "double":
    case "duration":
    case "int":
    case "timestamp":
    case "uint":
      return true;
    default:
      return isOptional(type) && isScalar(type.parameters[0] as Type);
  }
}
