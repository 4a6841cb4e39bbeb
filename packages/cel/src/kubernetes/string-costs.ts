import { costs } from "../cost/factors.js";
import {
  addEstimates,
  type CallEstimator,
  maxCost,
  multiplyByFactor,
  multiplyEstimates,
  type SizeEstimate,
  sizeOfNode,
} from "../declarations/estimate.js";
import { type FunctionDeclaration } from "../declarations/function-declaration.js";
import { type Library } from "../library/library.js";
import { isInt } from "../values/int.js";
import { sizeOf } from "../values/type-of.js";
import { elementSize, makesText, readsText } from "./text-costs.js";

const estimateReplace: CallEstimator = (estimator, target, [part, by]) => {
  if (target === undefined || part === undefined || by === undefined) return undefined;
  const size = sizeOfNode(estimator, target);
  const resultSize = replacedSize(size, sizeOfNode(estimator, part), sizeOfNode(estimator, by));
  return { cost: multiplyByFactor(size, 2 * costs.stringTraversal), resultSize };
};

/** The longest result replaces the shortest parts by the longest text, and the other way round. */
function replacedSize(text: SizeEstimate, part: SizeEstimate, by: SizeEstimate): SizeEstimate {
  const most = replacements({ text: text.max, part: part.min, isKept: by.max <= part.min });
  const least = replacements({ text: text.min, part: part.max, isKept: part.max <= by.min });
  const counts = { min: least.count, max: most.count };
  return addEstimates(multiplyEstimates(counts, by), { min: least.kept, max: most.kept });
}

/** How often a part is replaced, and how much of the text counts besides. The empty part is found around every character. */
function replacements(sizes: { text: bigint; part: bigint; isKept: boolean }): { count: bigint; kept: bigint } {
  const { text, part, isKept } = sizes;
  if (part === 0n) return { count: text < maxCost ? text + 1n : text, kept: text };
  return isKept ? { count: 0n, kept: text } : { count: quotient(text, part), kept: 0n };
}

/** By doubles, as upstream divides (k8s.io/apiserver/pkg/cel/library/cost.go, EstimateCallCost); what is beyond 64 bits becomes 2^63 there. */
function quotient(text: bigint, part: bigint): bigint {
  const count = Math.ceil(Number(text) / Number(part));
  return count >= 2 ** 64 ? 2n ** 63n : BigInt(count);
}

/** At worst every character is a part of its own. */
const estimateSplit: CallEstimator = (estimator, target, [, limit]) => {
  if (target === undefined) return undefined;
  const size = sizeOfNode(estimator, target);
  const literal = limit?.expr.kind === "literal" && isInt(limit.expr.value) ? limit.expr.value : undefined;
  const max = literal === undefined ? size.max : BigInt.asUintN(64, BigInt(literal));
  return { cost: multiplyByFactor(size, 2 * costs.stringTraversal), resultSize: { min: 0n, max } };
};

const lessOne = (count: bigint): bigint => (count > 0n ? count - 1n : 0n);

const estimateJoin: CallEstimator = (estimator, target, [separator]) => {
  if (target === undefined) return undefined;
  const count = sizeOfNode(estimator, target);
  const element = elementSize(estimator, target);
  let resultSize: SizeEstimate = element === undefined ? { min: 0n, max: 0n } : multiplyEstimates(count, element);
  if (separator !== undefined) {
    const separators = { min: lessOne(count.min), max: lessOne(count.max) };
    resultSize = addEstimates(resultSize, multiplyEstimates(sizeOfNode(estimator, separator), separators));
  }
  return { cost: multiplyByFactor(resultSize, costs.stringTraversal), resultSize };
};

/** Costs only: the functions are those of the strings extension. */
const costsOf = (name: string, declared: Omit<FunctionDeclaration, "name" | "overloads">): FunctionDeclaration => ({
  name,
  overloads: [],
  ...declared,
});

const { trackCost: readsTwice } = readsText(2);

/** What the functions of the strings extension cost in Kubernetes; in plain CEL they cost 1. */
export const stringCosts: Library = {
  name: "kubernetes.stringCosts",
  functions: [
    ...["lowerAscii", "upperAscii", "substring", "trim"].map((name) => costsOf(name, makesText)),
    costsOf("replace", { estimateCost: estimateReplace, trackCost: readsTwice }),
    costsOf("split", { estimateCost: estimateSplit, trackCost: readsTwice }),
    costsOf("join", {
      estimateCost: estimateJoin,
      trackCost: (_args, result) => Math.ceil(sizeOf(result) * 2 * costs.stringTraversal),
    }),
  ],
};
