import { costs } from "../cost/factors.js";
import { type CostTracker } from "../declarations/function-declaration.js";
import { sizeOf } from "../values/type-of.js";
import { type Value } from "../values/value.js";

const traversal = (size: number): number => Math.ceil(size * costs.stringTraversal);

/** The cost of `==`: of the shorter of the two. Scalars cost 1. */
export function compareCost(left: Value, right: Value): number {
  if (typeof left === "string" && typeof right === "string") {
    // One to ten code points cost the same: most strings need not be counted.
    const shorter = Math.min(left.length, right.length);
    if (shorter <= 10) return shorter === 0 ? 0 : 1;
  }
  return traversal(Math.min(sizeOf(left), sizeOf(right)));
}

const firstTraversal: CostTracker = ([first]) => traversal(sizeOf(first as Value));
const compared: CostTracker = ([left, right]) => compareCost(left as Value, right as Value);
const concatenated: CostTracker = ([left, right]) => traversal(sizeOf(left as Value) + sizeOf(right as Value));

/** The language's own functions that cost more than 1. */
export const standardTrackers: ReadonlyMap<string, CostTracker> = new Map<string, CostTracker>([
  ["starts_with_string", firstTraversal],
  ["ends_with_string", firstTraversal],
  ["string_to_bytes", firstTraversal],
  ["bytes_to_string", firstTraversal],
  ["strings_quote", firstTraversal],
  ["string_format", firstTraversal],
  ["in_list", ([, list]) => sizeOf(list as Value)],
  ...["less", "greater", "less_equals", "greater_equals"].flatMap((name): [string, CostTracker][] => [
    [`${name}_string`, compared],
    [`${name}_bytes`, compared],
  ]),
  ["add_string", concatenated],
  ["add_bytes", concatenated],
  [
    "matches_string",
    // One more than the text is long: an empty text does not make an expensive pattern free.
    ([text, pattern]) =>
      Math.ceil((1 + sizeOf(text as Value)) * costs.stringTraversal) *
      Math.ceil(sizeOf(pattern as Value) * costs.regexLength),
  ],
  ["contains_string", ([text, part]) => traversal(sizeOf(text as Value)) * traversal(sizeOf(part as Value))],
]);
