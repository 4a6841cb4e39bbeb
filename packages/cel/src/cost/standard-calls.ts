import {
  addEstimates,
  type CallEstimate,
  type CostEstimate,
  type CostNode,
  type Estimate,
  fixed,
  multiplyByFactor,
  multiplyEstimates,
  type SizeEstimate,
  unknownSize,
} from "../declarations/estimate.js";
import { costs } from "./factors.js";

const sizeOf = (node: CostNode): SizeEstimate => node.size ?? unknownSize;
const traversal = (size: SizeEstimate): CostEstimate => multiplyByFactor(size, costs.stringTraversal);
/** Upstream multiplies sizes without saturation in a few places. */
const wrap = (value: bigint): bigint => BigInt.asUintN(64, value);

const comparing: ReadonlySet<string> = new Set([
  "less_string",
  "greater_string",
  "less_equals_string",
  "greater_equals_string",
  "less_bytes",
  "greater_bytes",
  "less_equals_bytes",
  "greater_equals_bytes",
  "equals",
  "not_equals",
]);

/** The cost of the language's own functions that is more than 1; the arguments' own cost is added by the caller. */
export function standardCall(
  overload: string,
  target: CostNode | undefined,
  args: readonly CostNode[],
): CallEstimate | undefined {
  const [first, second] = args;
  switch (overload) {
    case "string_format":
      return target && { cost: traversal(sizeOf(target)) };
    case "string_to_bytes":
      return first && converted(sizeOf(first), ({ min, max }) => ({ min, max: wrap(max * 4n) }));
    case "bytes_to_string":
      return first && converted(sizeOf(first), ({ min, max }) => ({ min: min / 4n, max }));
    case "strings_quote":
      return first && converted(sizeOf(first), ({ min, max }) => ({ min: wrap(min + 2n), max: wrap(max * 2n + 2n) }));
    case "starts_with_string":
    case "ends_with_string":
      return first && { cost: traversal(sizeOf(first)) };
    case "in_list":
      return second && { cost: multiplyByFactor(sizeOf(second), 1) };
    case "matches_string": {
      if (target === undefined || first === undefined) return undefined;
      // One more than the text is long: an empty text does not make an expensive pattern free.
      const text = traversal(addEstimates(sizeOf(target), fixed(1)));
      return { cost: multiplyEstimates(text, multiplyByFactor(sizeOf(first), costs.regexLength)) };
    }
    case "contains_string":
      if (target === undefined || first === undefined) return undefined;
      return { cost: multiplyEstimates(traversal(sizeOf(target)), traversal(sizeOf(first))) };
    default:
      if (!comparing.has(overload) || first === undefined || second === undefined) return undefined;
      return { cost: traversal(shorter(sizeOf(first), sizeOf(second))) };
  }
}

const converted = (size: SizeEstimate, result: (size: SizeEstimate) => SizeEstimate): CallEstimate => ({
  cost: traversal(size),
  resultSize: result(size),
});

/** What a comparison looks at: at most the shorter of the two. */
function shorter(a: SizeEstimate, b: SizeEstimate): Estimate {
  const max = a.max < b.max ? a.max : b.max;
  return { min: max > 0n ? 1n : 0n, max };
}
