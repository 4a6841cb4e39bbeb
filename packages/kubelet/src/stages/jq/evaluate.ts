import { getOwn } from "@coxswain/apimachinery/own";
import { type Filter, JqError } from "./syntax.js";

/**
 * Evaluates a filter; numbers that the data holds stay numbers, and those that jq itself counts are bigints, because KWOK's
 * selectors compare only the latter with texts.
 * @returns every output, or undefined where the evaluation failed: what came before the failure does not count
 */
export function runFilter(filter: Filter, data: unknown): unknown[] | undefined {
  try {
    return evaluate(filter, data).filter((value) => value !== null && value !== undefined);
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

/** jq's order of all values: by type first. */
function compare(a: unknown, b: unknown): number {
  const [left, right] = [typeOf(a), typeOf(b)];
  if (left !== right) return rank.indexOf(left) - rank.indexOf(right);
  if (left === "array" || left === "object") {
    const [x, y] = [canonical(a), canonical(b)];
    return x === y ? 0 : x < y ? -1 : 1;
  }
  const [x, y] = left === "number" ? [Number(a), Number(b)] : [a as string, b as string];
  return x === y || (left === "null" && right === "null") ? 0 : x < y ? -1 : 1;
}

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner === "bigint") return Number(inner);
    if (typeOf(inner) !== "object") return inner;
    return Object.fromEntries(Object.entries(inner as object).sort(([a], [b]) => (a < b ? -1 : 1)));
  });

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

function contains(value: unknown, part: unknown): boolean {
  if (typeof value === "string" && typeof part === "string") return value.includes(part);
  if (Array.isArray(value) && Array.isArray(part))
    return part.every((wanted) => value.some((item) => compare(item, wanted) === 0 || isInside(item, wanted)));
  if (typeOf(value) === "object" && typeOf(part) === "object")
    return Object.entries(part as object).every(([key, wanted]) => isInside(member(value, key), wanted));
  return compare(value, part) === 0;
}
const isInside = (value: unknown, part: unknown): boolean => typeOf(value) === typeOf(part) && contains(value, part);

/** One value from the input and the values of the arguments. */
type ValueFunction = (input: unknown, ...args: unknown[]) => unknown;
/** All outputs, from the input and the arguments themselves. */
type FilterFunction = (input: unknown, ...args: Filter[]) => unknown[];

const valueFunctions = new Map<string, ValueFunction>([
  ["not/0", (input) => !isTrue(input)],
  ["length/0", length],
  ["type/0", typeOf],
  [
    "keys/0",
    (input) => (Array.isArray(input) ? [...input.keys()] : Object.keys(each(input) && (input as object)).sort()),
  ],
  ["tostring/0", (input) => (typeof input === "string" ? input : canonical(input))],
  ["ascii_downcase/0", (input) => text(input).toLowerCase()],
  ["ascii_upcase/0", (input) => text(input).toUpperCase()],
  [
    "has/1",
    (input, key) => (Array.isArray(input) ? Number(key) < input.length : Object.hasOwn(input as object, String(key))),
  ],
  ["startswith/1", (input, prefix) => text(input).startsWith(text(prefix))],
  ["endswith/1", (input, suffix) => text(input).endsWith(text(suffix))],
  ["contains/1", contains],
]);

const filterFunctions = new Map<string, FilterFunction>([
  ["empty/0", () => []],
  ["any/0", (input) => [each(input).some(isTrue)]],
  ["all/0", (input) => [each(input).every(isTrue)]],
  ["first/0", (input) => [member(input, 0n)]],
  ["last/0", (input) => [member(input, -1n)]],
  [
    "select/1",
    (input, condition) => evaluate(condition as Filter, input).flatMap((holds) => (isTrue(holds) ? [input] : [])),
  ],
  ["map/1", (input, body) => [each(input).flatMap((item) => evaluate(body as Filter, item))]],
  ["any/1", (input, body) => [each(input).some((item) => evaluate(body as Filter, item).some(isTrue))]],
  ["all/1", (input, body) => [each(input).every((item) => evaluate(body as Filter, item).every(isTrue))]],
  ["first/1", (input, body) => evaluate(body as Filter, input).slice(0, 1)],
]);

/** What may be called, as `name/arity`. */
export const jqFunctions: ReadonlySet<string> = new Set([...valueFunctions.keys(), ...filterFunctions.keys()]);

function call(name: string, args: readonly Filter[], input: unknown): unknown[] {
  const key = `${name}/${args.length}`;
  const filters = filterFunctions.get(key);
  if (filters) return filters(input, ...args);
  const value = valueFunctions.get(key) as ValueFunction;
  const [first] = args;
  return first ? evaluate(first, input).map((arg) => value(input, arg)) : [value(input)];
}

function evaluate(filter: Filter, input: unknown): unknown[] {
  switch (filter.kind) {
    case "identity":
      return [input];
    case "literal":
      return [filter.value];
    case "member":
      return evaluate(filter.of, input).flatMap((of) => evaluate(filter.key, input).map((key) => member(of, key)));
    case "each":
      return evaluate(filter.of, input).flatMap(each);
    case "try":
      return runTry(filter.body, input);
    case "array":
      return [filter.body ? evaluate(filter.body, input) : []];
    case "call":
      return call(filter.name, filter.args, input);
    case "binary":
      return binary(filter, input);
  }
}

function runTry(body: Filter, input: unknown): unknown[] {
  try {
    return evaluate(body, input);
  } catch (error) {
    if (error instanceof JqError) return [];
    throw error;
  }
}

function binary({ sign, left, right }: Filter & { kind: "binary" }, input: unknown): unknown[] {
  if (sign === "|") return evaluate(left, input).flatMap((value) => evaluate(right, value));
  if (sign === ",") return [...evaluate(left, input), ...evaluate(right, input)];
  if (sign === "//") {
    const found = runTry(left, input).filter(isTrue);
    return found.length > 0 ? found : evaluate(right, input);
  }
  if (sign === "and" || sign === "or")
    return evaluate(left, input).flatMap((a) =>
      isTrue(a) === (sign === "or") ? [sign === "or"] : evaluate(right, input).map(isTrue),
    );
  return evaluate(left, input).flatMap((a) => evaluate(right, input).map((b) => holds(sign, compare(a, b))));
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
