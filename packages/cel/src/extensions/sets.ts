import {
  addEstimates,
  type CallEstimator,
  fixed,
  multiplyByFactor,
  multiplyEstimates,
  sizeOfNode,
} from "../declarations/estimate.js";
import { type FunctionDeclaration } from "../declarations/function-declaration.js";
import { type Library } from "../library/library.js";
import { boolType, listType, typeParam } from "../types/type.js";
import { listContains } from "../values/equal.js";
import { elementsOf } from "../values/list-value.js";
import { sizeOf } from "../values/type-of.js";
import { type ListValue, type Value } from "../values/value.js";

function contains(list: ListValue, part: ListValue): boolean {
  for (const element of elementsOf(part)) if (!listContains(list, element)) return false;
  return true;
}

function intersects(a: ListValue, b: ListValue): boolean {
  for (const element of elementsOf(a)) if (listContains(b, element)) return true;
  return false;
}

/** Every element of one may be compared with every element of the other. */
const estimate =
  (factor: number): CallEstimator =>
  (estimator, _target, [first, second]) => {
    if (first === undefined || second === undefined) return undefined;
    const pairs = multiplyEstimates(sizeOfNode(estimator, first), sizeOfNode(estimator, second));
    return { cost: addEstimates(multiplyByFactor(pairs, factor), fixed(1)) };
  };

const listOfT = listType(typeParam("T"));

const declare = (
  name: string,
  factor: number,
  implementation: (a: ListValue, b: ListValue) => boolean,
): FunctionDeclaration => ({
  name: `sets.${name}`,
  overloads: [
    {
      id: `list_sets_${name}_list`,
      args: [listOfT, listOfT],
      result: boolType,
      implementation: (a, b) => implementation(a as ListValue, b as ListValue),
      estimateCost: estimate(factor),
      trackCost: ([a, b]) => 1 + Math.trunc(sizeOf(a as Value) * sizeOf(b as Value) * factor),
    },
  ],
});

/** cel-go's sets extension: lists taken for sets. */
export const setsLibrary: Library = {
  name: "sets",
  functions: [
    declare("contains", 1, contains),
    declare("equivalent", 2, (a, b) => contains(a, b) && contains(b, a)),
    declare("intersects", 1, intersects),
  ],
};
