import { type FunctionDeclaration, type Overload } from "../declarations/function-declaration.js";
import { type Library } from "../library/library.js";
import { add } from "../stdlib/arithmetic.js";
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  intType,
  listType,
  stringType,
  type Type,
  timestampType,
  typeParam,
  uintType,
} from "../types/type.js";
import { compare, isComparable } from "../values/compare.js";
import { equal } from "../values/equal.js";
import { elementsOf } from "../values/list-value.js";
import { CelError, Double, Duration, type ListValue, noSuchOverload, Uint, type Value } from "../values/value.js";
import { readsElements } from "./text-costs.js";

type NamedType = readonly [name: string, type: Type];

const comparable: readonly NamedType[] = [
  ["int", intType],
  ["uint", uintType],
  ["double", doubleType],
  ["bool", boolType],
  ["duration", durationType],
  ["timestamp", timestampType],
  ["string", stringType],
  ["bytes", bytesType],
];

/** With the sum of nothing. */
const summable: readonly (readonly [...NamedType, Value])[] = [
  ["int", intType, 0],
  ["uint", uintType, new Uint(0n)],
  ["double", doubleType, new Double(0)],
  ["duration", durationType, new Duration(0n)],
];

/** Elements that have no order with each other (an int and a string) do not make a list unsorted. */
function isSorted(list: ListValue): Value {
  let previous: Value | undefined;
  for (const element of elementsOf(list)) {
    if (!isComparable(element)) return noSuchOverload();
    if (previous !== undefined && compare(previous, element) === 1) return false;
    previous = element;
  }
  return true;
}

function sum(list: ListValue, zero: Value): Value {
  let total = zero;
  for (const element of elementsOf(list)) {
    total = add(total, element);
    if (total instanceof CelError) return total;
  }
  return total;
}

/** The first of the elements from which no other differs by `worse`. */
const extreme =
  (name: string, worse: 1 | -1) =>
  (list: ListValue): Value => {
    let best: Value | undefined;
    for (const element of elementsOf(list)) {
      if (!isComparable(element)) return noSuchOverload();
      if (best === undefined || compare(best, element) === worse) best = element;
    }
    return best ?? new CelError(`${name} called on empty list`);
  };

function indexOf(list: ListValue, value: Value): number {
  for (let index = 0; index < list.size; index++) if (equal(list.get(index), value)) return index;
  return -1;
}

function lastIndexOf(list: ListValue, value: Value): number {
  for (let index = list.size - 1; index >= 0; index--) if (equal(list.get(index), value)) return index;
  return -1;
}

const member = (id: string, args: readonly Type[], result: Type, implementation: unknown): Overload => ({
  id,
  args,
  result,
  isMember: true,
  // The interpreter passes what the types declare.
  implementation: implementation as NonNullable<Overload["implementation"]>,
});

const declare = (name: string, overloads: readonly Overload[]): FunctionDeclaration => ({
  name,
  overloads,
  ...readsElements,
});

const paramA = typeParam("A");
const searching = (name: string, id: string, search: (list: ListValue, value: Value) => number): FunctionDeclaration =>
  declare(name, [member(id, [listType(paramA), paramA], intType, search)]);

const choosing = (name: string, worse: 1 | -1): FunctionDeclaration =>
  declare(
    name,
    comparable.map(([type, element]) =>
      member(`list_${type}_${name}_${type}`, [listType(element)], element, extreme(name, worse)),
    ),
  );

/** Kubernetes' functions of lists; there from the beginning. */
export const kubernetesLists: Library = {
  name: "kubernetes.lists",
  functions: [
    declare(
      "isSorted",
      comparable.map(([name, element]) =>
        member(`list_${name}_is_sorted_bool`, [listType(element)], boolType, isSorted),
      ),
    ),
    declare(
      "sum",
      summable.map(([name, element, zero]) =>
        member(`list_${name}_sum_${name}`, [listType(element)], element, (list: ListValue) => sum(list, zero)),
      ),
    ),
    choosing("max", -1),
    choosing("min", 1),
    searching("indexOf", "list_a_index_of_int", indexOf),
    searching("lastIndexOf", "list_a_last_index_of_int", lastIndexOf),
  ],
};
