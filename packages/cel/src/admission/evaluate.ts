import { type Bindings } from "../interpreter/frame.js";
import { unescapeName } from "../kubernetes/escaping.js";
import { CelError, MapValue, type Value } from "../values/value.js";
import { type CompiledExpression } from "./compile-expression.js";

/** Costs that several expressions share. */
export interface Budget {
  /** What is left. */
  remaining: number;
}

/** What an expression came to. An error is in upstream's words. */
export type ExpressionOutcome =
  | { readonly value: Exclude<Value, CelError>; readonly error?: undefined }
  | { readonly error: string };

/** The budget is spent, and nothing that shares it is evaluated any more. */
export class OutOfBudget extends Error {
  constructor() {
    super("validation failed due to running out of cost budget, no further validation rules will be run");
  }
}

export interface Inputs {
  /** Values of the variables, but for `variables`. */
  readonly bindings: Bindings;
  readonly variables?: ReadonlyMap<string, CompiledExpression>;
}

/** Evaluates expressions over the same inputs. A variable is evaluated once, when an expression first uses it. */
export interface Evaluator {
  /** @throws OutOfBudget */
  evaluate(compiled: CompiledExpression, budget: Budget): ExpressionOutcome;
}

export function createEvaluator({ bindings, variables }: Inputs): Evaluator {
  /** What variables cost that the expression under way was the first to use. */
  let variableCost = 0;
  const own: Bindings = { get: (name) => (name === "variables" ? lazy : bindings.get(name)) };
  const lazy = new LazyVariables(variables ?? new Map(), (name, { program, error }) => {
    if (program === undefined) return new CelError(`composited variable "${name}" fails to compile: ${error?.detail}`);
    const result = program.evaluate(own);
    variableCost += result.cost;
    if (result.ok) return result.value;
    return new CelError(`composited variable "${name}" fails to evaluate: ${result.error.message}`);
  });

  return {
    evaluate({ expression, program, error }, budget) {
      if (program === undefined) return { error: `compilation error: ${error?.detail}` };
      variableCost = 0;
      const result = program.evaluate(own);
      for (const cost of [variableCost, result.cost]) {
        if (cost > budget.remaining) throw new OutOfBudget();
        budget.remaining -= cost;
      }
      if (result.ok) return { value: result.value };
      return { error: `expression '${expression}' resulted in error: ${result.error.message}` };
    },
  };
}

class LazyVariables extends MapValue {
  readonly #variables: ReadonlyMap<string, CompiledExpression>;
  readonly #evaluate: (name: string, variable: CompiledExpression) => Value;
  readonly #values = new Map<string, Value>();

  constructor(
    variables: ReadonlyMap<string, CompiledExpression>,
    evaluate: (name: string, variable: CompiledExpression) => Value,
  ) {
    super();
    this.#variables = variables;
    this.#evaluate = evaluate;
  }

  get size(): number {
    return this.#variables.size;
  }

  find(key: Value): Value | undefined {
    const name = typeof key === "string" ? unescapeName(key) : undefined;
    const variable = name === undefined ? undefined : this.#variables.get(name);
    if (name === undefined || variable === undefined) return undefined;
    let value = this.#values.get(name);
    if (value === undefined) this.#values.set(name, (value = this.#evaluate(name, variable)));
    return value;
  }

  keys(): Iterable<Value> {
    return this.#variables.keys();
  }
}
