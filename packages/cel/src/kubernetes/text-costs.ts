import { utf8Length } from "@coxswain/apimachinery/text";
import { costs } from "../cost/factors.js";
import {
  addEstimates,
  type CallEstimator,
  type CostEstimator,
  type CostNode,
  fixed,
  multiplyByFactor,
  multiplyEstimates,
  type SizeEstimate,
  sizeOfNode,
} from "../declarations/estimate.js";
import { type CostTracker } from "../declarations/function-declaration.js";
import { elementsOf } from "../values/list-value.js";
import { sizeOf } from "../values/type-of.js";
import { ListValue, MapValue, type Value } from "../values/value.js";

/** Both costs of a function, as overloads and functions declare them. */
export interface CallCosts {
  readonly estimateCost: CallEstimator;
  readonly trackCost: CostTracker;
}

/** Reads its first argument (or what it is called on) once, or `times` times. */
export const readsText = (times = 1): CallCosts => ({
  estimateCost(estimator, target, [first]) {
    const text = target ?? first;
    return text && { cost: multiplyByFactor(sizeOfNode(estimator, text), times * costs.stringTraversal) };
  },
  trackCost: ([text]) => Math.ceil(sizeOf(text as Value) * times * costs.stringTraversal),
});

/** Makes a text of the size of the one it reads. */
export const makesText: CallCosts = {
  ...readsText(),
  estimateCost(estimator, target, [first]) {
    const text = target ?? first;
    if (text === undefined) return undefined;
    const resultSize = sizeOfNode(estimator, text);
    return { cost: multiplyByFactor(resultSize, costs.stringTraversal), resultSize };
  },
};

/** A regular expression over a text. Neither is taken for empty: each is expensive even where the other is nothing. */
export const searchesText: CallCosts = {
  estimateCost(estimator, target, [pattern]) {
    if (target === undefined || pattern === undefined) return undefined;
    const size = sizeOfNode(estimator, target);
    const text = multiplyByFactor(addEstimates(size, fixed(1)), costs.stringTraversal);
    const regexp = multiplyByFactor(sizeOfNode(estimator, pattern), costs.regexLength);
    return { cost: multiplyEstimates(text, regexp), resultSize: { min: 0n, max: size.max } };
  },
  trackCost: ([text, pattern]) => searchCost(sizeOf(text as Value), sizeOf(pattern as Value)),
};

export const searchCost = (textSize: number, patternSize: number): number =>
  Math.ceil((1 + textSize) * costs.stringTraversal) * Math.ceil(patternSize * costs.regexLength);

/** The size of a list's elements; undefined for what is no list. */
export function elementSize(estimator: CostEstimator, list: CostNode): SizeEstimate | undefined {
  const element = elementNode(list);
  return element && sizeOfNode(estimator, element);
}

function elementNode({ path, type, expr }: CostNode): CostNode | undefined {
  const [element] = type.parameters;
  return element && { path: path.length === 0 ? [] : [...path, "@items"], type: element, expr, size: undefined };
}

/** Looks at every element of a list, and reads those that are texts. Strings have functions of the same names. */
export const readsElements: CallCosts = {
  estimateCost(estimator, target) {
    if (target === undefined) return undefined;
    const size = sizeOfNode(estimator, target);
    const element = elementNode(target);
    if (element === undefined) return { cost: multiplyByFactor(size, costs.stringTraversal) };
    const isText = element.type.kind === "string" || element.type.kind === "bytes";
    const each = isText ? multiplyByFactor(sizeOfNode(estimator, element), costs.stringTraversal) : fixed(0);
    return { cost: multiplyEstimates(size, addEstimates(fixed(1), each)) };
  },
  trackCost: ([list]) => traversalCost(list as Value),
};

/** The cost of reading all of a value. Unlike elsewhere, strings count by bytes and are rounded down. */
function traversalCost(value: Value): number {
  if (typeof value === "string") return Math.floor(utf8Length(value) * costs.stringTraversal);
  if (value instanceof Uint8Array) return Math.floor(value.length * costs.stringTraversal);
  if (value instanceof ListValue) {
    let cost = 0;
    for (const element of elementsOf(value)) cost += traversalCost(element);
    return cost;
  }
  if (value instanceof MapValue) {
    let cost = 0;
    for (const key of value.keys()) cost += traversalCost(key) + traversalCost(value.find(key) as Value);
    return cost;
  }
  return 1;
}
