import { type Expr } from "../ast/expr.js";
import { type Type } from "../types/type.js";

/** A range of unsigned 64-bit numbers: the least and the most that a size or cost may be. Sums and products saturate. */
export interface Estimate {
  readonly min: bigint;
  readonly max: bigint;
}

export type SizeEstimate = Estimate;
export type CostEstimate = Estimate;

/** What a call costs, and how large its result is where that is known. */
export interface CallEstimate {
  readonly cost: CostEstimate;
  readonly resultSize?: SizeEstimate | undefined;
}

/** A node as estimators see it. */
export interface CostNode {
  /**
   * The way from a variable to the node: the variable, then names of fields, `@items`, `@keys`, `@values`. Empty for
   * what is not part of a variable.
   */
  readonly path: readonly string[];
  readonly type: Type;
  readonly expr: Expr;
  /** The size as far as the expression itself determines it. */
  readonly size: SizeEstimate | undefined;
}

/** Knows the sizes of variables, and the cost of functions without a cost of their own. */
export interface CostEstimator {
  /** The size of a node that is part of a variable; undefined where nothing is known. */
  estimateSize(node: CostNode): SizeEstimate | undefined;
  estimateCall?(call: EstimatedCall): CallEstimate | undefined;
}

export interface EstimatedCall {
  readonly function: string;
  readonly overload: string;
  readonly target: CostNode | undefined;
  readonly args: readonly CostNode[];
}

/** The cost of a call of one overload, by the sizes of its arguments; undefined leaves it to the next rule. */
export type CallEstimator = (
  estimator: CostEstimator,
  target: CostNode | undefined,
  args: readonly CostNode[],
) => CallEstimate | undefined;

export const maxCost = 2n ** 64n - 1n;

export const fixed = (value: bigint | number): Estimate => ({ min: BigInt(value), max: BigInt(value) });
export const unknownSize: SizeEstimate = { min: 0n, max: maxCost };
export const noCost: CostEstimate = { min: 0n, max: 0n };

const saturate = (value: bigint): bigint => (value > maxCost ? maxCost : value);

export const addEstimates = (a: Estimate, b: Estimate): Estimate => ({
  min: saturate(a.min + b.min),
  max: saturate(a.max + b.max),
});

export const multiplyEstimates = (a: Estimate, b: Estimate): Estimate => ({
  min: saturate(a.min * b.min),
  max: saturate(a.max * b.max),
});

/** Rounded up. */
export const multiplyByFactor = (estimate: Estimate, factor: number): Estimate => ({
  min: byFactor(estimate.min, factor),
  max: byFactor(estimate.max, factor),
});

function byFactor(value: bigint, factor: number): bigint {
  const product = Math.ceil(Number(value) * factor);
  return product >= 2 ** 64 ? maxCost : BigInt(product);
}

export const unionEstimates = (a: Estimate, b: Estimate): Estimate => ({
  min: a.min < b.min ? a.min : b.min,
  max: a.max > b.max ? a.max : b.max,
});

/** The size of a node by what it determines itself, then by what the estimator knows. */
export const sizeOfNode = (estimator: CostEstimator, node: CostNode): SizeEstimate =>
  node.size ?? estimator.estimateSize(node) ?? unknownSize;
