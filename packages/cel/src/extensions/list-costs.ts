import { costs } from "../cost/factors.js";
import {
  addEstimates,
  type CallEstimate,
  type CallEstimator,
  type CostNode,
  fixed,
  maxCost,
  multiplyByFactor,
  multiplyEstimates,
  type SizeEstimate,
  sizeOfNode,
} from "../declarations/estimate.js";
import { type CostTracker } from "../declarations/function-declaration.js";
import { type Type } from "../types/type.js";
import { isInt } from "../values/int.js";
import { sizeOf } from "../values/type-of.js";
import { ListValue, type Value } from "../values/value.js";

/** A call that makes a new list of about that size. */
const allocating = (factor: number, resultSize: SizeEstimate): CallEstimate => ({
  cost: addEstimates(multiplyByFactor(resultSize, factor), fixed(1 + costs.createList)),
  resultSize,
});

/** An integer literal's value, as unsigned; what is no literal may be anything up to `otherwise`. */
function literalOf({ expr }: CostNode, otherwise: bigint): bigint {
  if (expr.kind !== "literal" || !isInt(expr.value)) return otherwise;
  return expr.value < 0 ? 0n : BigInt(expr.value);
}

export const estimateSlice: CallEstimator = (estimator, target, [start, end]) => {
  if (target === undefined || start === undefined || end === undefined) return undefined;
  const length = literalOf(end, sizeOfNode(estimator, target).max) - literalOf(start, 0n);
  return allocating(1, fixed(BigInt.asUintN(64, length)));
};

export const estimateRange: CallEstimator = (_estimator, target, [count]) =>
  target !== undefined || count === undefined ? undefined : allocating(1, fixed(literalOf(count, maxCost)));

export const estimateReverse: CallEstimator = (estimator, target) =>
  target && allocating(1, sizeOfNode(estimator, target));

export const estimateFlatten: CallEstimator = (estimator, target, [depth]) =>
  target && allocating(depth === undefined ? 1 : Number(literalOf(depth, maxCost)), sizeOfNode(estimator, target));

/** Every element against every other, twice. */
function selfCompared(size: SizeEstimate, factor: number): CallEstimate {
  return allocating(factor, multiplyEstimates(size, size));
}

export const estimateDistinct: CallEstimator = (estimator, target) =>
  target && selfCompared(sizeOfNode(estimator, target), 2);

const sortFactor = (type: Type): number =>
  type.kind === "string" || type.kind === "bytes" ? 2 + costs.stringTraversal : 2;

export const estimateSort =
  (type: Type): CallEstimator =>
  (estimator, target) =>
    target && selfCompared(sizeOfNode(estimator, target), sortFactor(type));

export const estimateSortBy =
  (type: Type): CallEstimator =>
  (estimator, target, [keys]) =>
    target && keys && selfCompared(sizeOfNode(estimator, keys), sortFactor(type));

const allocated = (factor: number, size: number): number => Math.trunc(size * factor) + 1 + costs.createList;

export const trackOutput: CostTracker = (_args, result) => allocated(1, sizeOf(result));

export const trackFlatten: CostTracker = ([list, depth]) =>
  allocated(depth === undefined ? 1 : Number(depth), sizeOf(list as Value));

export function trackSelfCompare(list: Value | undefined): number | undefined {
  if (!(list instanceof ListValue)) return undefined;
  if (list.size === 0) return allocated(2, 0);
  const first = list.get(0);
  const isText = typeof first === "string" || first instanceof Uint8Array;
  return allocated(isText ? 2 + costs.stringTraversal : 2, list.size * list.size);
}
