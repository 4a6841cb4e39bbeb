import { operators } from "../ast/operators.js";
import { type FunctionDeclaration, type Overload } from "../declarations/function-declaration.js";
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  intType,
  listType,
  mapType,
  stringType,
  type Type,
  timestampType,
  typeParam,
  uintType,
} from "../types/type.js";
import { compare, isComparable } from "../values/compare.js";
import { listContains } from "../values/equal.js";
import { CelError, ListValue, MapValue, noSuchOverload, type Value } from "../values/value.js";

const numbers: readonly (readonly [string, Type])[] = [
  ["int64", intType],
  ["uint64", uintType],
  ["double", doubleType],
];
/** The order of upstream's declarations: bool, then numbers with numbers, then the rest. */
const others: readonly (readonly [string, Type])[] = [
  ["string", stringType],
  ["bytes", bytesType],
  ["timestamp", timestampType],
  ["duration", durationType],
];

function comparison(name: string, operator: string, holds: (order: number) => boolean): FunctionDeclaration {
  const overload = (suffix: string, left: Type, right: Type): Overload => ({
    id: `${name}_${suffix}`,
    args: [left, right],
    result: boolType,
  });
  const mixed = numbers.flatMap(([suffix, type]) => [
    overload(suffix, type, type),
    ...numbers
      .filter(([other]) => other !== suffix)
      .map(([other, otherType]) => overload(`${suffix}_${other}`, type, otherType)),
  ]);
  return {
    name: operator,
    overloads: [
      overload("bool", boolType, boolType),
      ...mixed,
      ...others.map(([suffix, type]) => overload(suffix, type, type)),
    ],
    implementation(a, b) {
      if (!isComparable(a as Value)) return new CelError(`no such overload: ${operator}`);
      const order = compare(a as Value, b as Value);
      return order instanceof CelError ? order : holds(order);
    },
  };
}

const comparisons: readonly FunctionDeclaration[] = [
  comparison("less", operators.less, (order) => order < 0),
  comparison("less_equals", operators.lessEquals, (order) => order <= 0),
  comparison("greater", operators.greater, (order) => order > 0),
  comparison("greater_equals", operators.greaterEquals, (order) => order >= 0),
];

/** Overloads between different types of numbers, which an environment may leave out. */
export const crossTypeComparisons: ReadonlySet<string> = new Set(
  comparisons.flatMap(({ overloads }) =>
    overloads.filter(({ args: [left, right] }) => left !== right).map(({ id }) => id),
  ),
);

const paramA = typeParam("A");
const listOfA = listType(paramA);
const mapOfAB = mapType(paramA, typeParam("B"));

const equality = (name: string, id: string): FunctionDeclaration => ({
  name,
  overloads: [{ id, args: [paramA, paramA], result: boolType }],
});

export const comparisonFunctions: readonly FunctionDeclaration[] = [
  equality(operators.equals, "equals"),
  equality(operators.notEquals, "not_equals"),
  ...comparisons,
  {
    name: operators.in,
    overloads: [
      { id: "in_list", args: [paramA, listOfA], result: boolType },
      { id: "in_map", args: [paramA, mapOfAB], result: boolType },
    ],
    implementation(element, container) {
      if (container instanceof ListValue) return listContains(container, element as Value);
      if (container instanceof MapValue)
        return container.has?.(element as Value) ?? container.find(element as Value) !== undefined;
      return noSuchOverload();
    },
  },
];
