import { getOwn } from "@coxswain/apimachinery/own";
import type { Budget } from "../budget.js";
import { type Filter, JqError } from "./syntax.js";

/** Characters that are compared or made in the time of one step. */
const charactersPerStep = 32;

/**
 * Evaluates a filter; numbers that the data holds stay numbers, and those that jq itself counts are bigints, because KWOK's
 * selectors compare only the latter with texts.
 * @param budget of steps: each node that is evaluated, and each value that comes out of it, is one
 * @returns every output, or undefined where the evaluation failed: what came before the failure does not count
 * @throws OverBudget
 */
export function runFilter(filter: Filter, data: unknown, budget: Budget): unknown[] | undefined {
  try {
    return new Evaluation(budget).run(filter, data).filter((value) => value !== null && value !== undefined);
  } catch (error) {
    if (error instanceof JqError) return undefined;
    throw error;
  }
}

const typeOf = (value: unknown): string => {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value === "bigint" ? "number" : typeof value;
};

const isTrue = (value: unknown): boolean => value !== null && value !== undefined && value !== false;

function member(of: unknown, key: unknown): unknown {
  if (of === null || of === undefined) return null;
  if (typeof key === "string" && typeOf(of) === "object") return getOwn(of as Record<string, unknown>, key) ?? null;
  if (Array.isArray(of) && typeOf(key) === "number") return of.at(Number(key)) ?? null;
  throw new JqError(`cannot index ${typeOf(of)} with ${typeOf(key)}`);
}

function each(of: unknown): unknown[] {
  if (Array.isArray(of)) return of;
  if (typeOf(of) === "object") return Object.values(of as object);
  throw new JqError(`cannot iterate over: ${typeOf(of)}`);
}

const rank = ["null", "boolean", "number", "string", "array", "object"];

function length(value: unknown): bigint {
  if (value === null || value === undefined) return 0n;
  if (typeof value === "string") return BigInt([...value].length);
  if (Array.isArray(value)) return BigInt(value.length);
  if (typeof value === "object") return BigInt(Object.keys(value).length);
  throw new JqError(`length cannot be applied to ${typeOf(value)}`);
}

const text = (value: unknown): string => {
  if (typeof value !== "string") throw new JqError(`expected a string, found ${typeOf(value)}`);
  return value;
};

/** One value from the input and the values of the arguments. */
type ValueFunction = (evaluation: Evaluation, input: unknown, ...args: unknown[]) => unknown;
/** All outputs, from the input and the arguments themselves. */
type FilterFunction = (evaluation: Evaluation, input: unknown, ...args: Filter[]) => unknown[];

const valueFunctions = new Map<string, ValueFunction>([
  ["not/0", (_, input) => !isTrue(input)],
  ["length/0", (_, input) => length(input)],
  ["type/0", (_, input) => typeOf(input)],
  [
    "keys/0",
    (_, input) => (Array.isArray(input) ? [...input.keys()] : Object.keys(each(input) && (input as object)).sort()),
  ],
  ["tostring/0", (evaluation, input) => (typeof input === "string" ? input : evaluation.canonical(input))],
  ["ascii_downcase/0", (_, input) => text(input).toLowerCase()],
  ["ascii_upcase/0", (_, input) => text(input).toUpperCase()],
  [
    "has/1",
    (_, input, key) =>
      Array.isArray(input) ? Number(key) < input.length : Object.hasOwn(input as object, String(key)),
  ],
  ["startswith/1", (_, input, prefix) => text(input).startsWith(text(prefix))],
  ["endswith/1", (_, input, suffix) => text(input).endsWith(text(suffix))],
  ["contains/1", (evaluation, input, part) => evaluation.contains(input, part)],
]);

const filterFunctions = new Map<string, FilterFunction>([
  ["empty/0", () => []],
  ["any/0", (_, input) => [each(input).some(isTrue)]],
  ["all/0", (_, input) => [each(input).every(isTrue)]],
  ["first/0", (_, input) => [member(input, 0n)]],
  ["last/0", (_, input) => [member(input, -1n)]],
  [
    "select/1",
    (evaluation, input, condition) =>
      evaluation.run(condition as Filter, input).flatMap((holds) => (isTrue(holds) ? [input] : [])),
  ],
  ["map/1", (evaluation, input, body) => [each(input).flatMap((item) => evaluation.run(body as Filter, item))]],
  [
    "any/1",
    (evaluation, input, body) => [each(input).some((item) => evaluation.run(body as Filter, item).some(isTrue))],
  ],
  [
    "all/1",
    (evaluation, input, body) => [each(input).every((item) => evaluation.run(body as Filter, item).every(isTrue))],
  ],
  ["first/1", (evaluation, input, body) => evaluation.run(body as Filter, input).slice(0, 1)],
]);

/** What may be called, as `name/arity`. */
export const jqFunctions: ReadonlySet<string> = new Set([...valueFunctions.keys(), ...filterFunctions.keys()]);

/** One evaluation of a filter, which counts each node that is evaluated and each value that comes out of it. @throws JqError, OverBudget */
class Evaluation {
  readonly #budget: Budget;

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  run(filter: Filter, input: unknown): unknown[] {
    this.#budget.step();
    const outputs = this.#outputs(filter, input);
    this.#budget.step(outputs.length);
    return outputs;
  }

  #outputs(filter: Filter, input: unknown): unknown[] {
    switch (filter.kind) {
      case "identity":
        return [input];
      case "literal":
        return [filter.value];
      case "member":
        return this.run(filter.of, input).flatMap((of) => this.run(filter.key, input).map((key) => member(of, key)));
      case "each":
        return this.run(filter.of, input).flatMap((of) => this.#each(of));
      case "try":
        return this.#try(filter.body, input);
      case "array":
        return [filter.body ? this.run(filter.body, input) : []];
      case "call":
        return this.#call(filter.name, filter.args, input);
      case "binary":
        return this.#binary(filter, input);
    }
  }

  #each(of: unknown): unknown[] {
    const values = each(of);
    this.#budget.step(values.length);
    return values;
  }

  #try(body: Filter, input: unknown): unknown[] {
    try {
      return this.run(body, input);
    } catch (error) {
      if (error instanceof JqError) return [];
      throw error;
    }
  }

  #call(name: string, args: readonly Filter[], input: unknown): unknown[] {
    const key = `${name}/${args.length}`;
    if (typeof input === "string") this.#budget.step(input.length / charactersPerStep);
    else if (Array.isArray(input)) this.#budget.step(input.length);
    const filters = filterFunctions.get(key);
    if (filters) return filters(this, input, ...args);
    const value = valueFunctions.get(key) as ValueFunction;
    const [first] = args;
    return first ? this.run(first, input).map((arg) => value(this, input, arg)) : [value(this, input)];
  }

  #binary({ sign, left, right }: Filter & { kind: "binary" }, input: unknown): unknown[] {
    if (sign === "|") return this.run(left, input).flatMap((value) => this.run(right, value));
    if (sign === ",") return [...this.run(left, input), ...this.run(right, input)];
    if (sign === "//") {
      const found = this.#try(left, input).filter(isTrue);
      return found.length > 0 ? found : this.run(right, input);
    }
    if (sign === "and" || sign === "or")
      return this.run(left, input).flatMap((a) =>
        isTrue(a) === (sign === "or") ? [sign === "or"] : this.run(right, input).map(isTrue),
      );
    return this.run(left, input).flatMap((a) => this.run(right, input).map((b) => holds(sign, this.#compare(a, b))));
  }

  /** jq's order of all values: by type first. */
  #compare(a: unknown, b: unknown): number {
    this.#budget.step();
    const [left, right] = [typeOf(a), typeOf(b)];
    if (left !== right) return rank.indexOf(left) - rank.indexOf(right);
    if (left === "array" || left === "object") {
      const [x, y] = [this.canonical(a), this.canonical(b)];
      return x === y ? 0 : x < y ? -1 : 1;
    }
    const [x, y] = left === "number" ? [Number(a), Number(b)] : [a as string, b as string];
    return x === y || (left === "null" && right === "null") ? 0 : x < y ? -1 : 1;
  }

  /** A value as JSON, whose members are in order. */
  canonical(value: unknown): string {
    return JSON.stringify(value, (_, inner: unknown) => {
      this.#budget.step();
      if (typeof inner === "string") this.#budget.step(inner.length / charactersPerStep);
      if (typeof inner === "bigint") return Number(inner);
      if (typeOf(inner) !== "object") return inner;
      return Object.fromEntries(Object.entries(inner as object).sort(([a], [b]) => (a < b ? -1 : 1)));
    });
  }

  contains(value: unknown, part: unknown): boolean {
    this.#budget.step();
    if (typeof value === "string" && typeof part === "string") {
      this.#budget.step(value.length / charactersPerStep);
      return value.includes(part);
    }
    if (Array.isArray(value) && Array.isArray(part))
      return part.every((wanted) =>
        value.some((item) => this.#compare(item, wanted) === 0 || this.#isInside(item, wanted)),
      );
    if (typeOf(value) === "object" && typeOf(part) === "object")
      return Object.entries(part as object).every(([key, wanted]) => this.#isInside(member(value, key), wanted));
    return this.#compare(value, part) === 0;
  }

  #isInside(value: unknown, part: unknown): boolean {
    return typeOf(value) === typeOf(part) && this.contains(value, part);
  }
}

function holds(sign: "==" | "!=" | "<=" | ">=" | "<" | ">", order: number): boolean {
  switch (sign) {
    case "==":
      return order === 0;
    case "!=":
      return order !== 0;
    case "<":
      return order < 0;
    case "<=":
      return order <= 0;
    case ">":
      return order > 0;
    case ">=":
      return order >= 0;
  }
}
