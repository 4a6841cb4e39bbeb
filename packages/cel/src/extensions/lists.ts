import { type Expr } from "../ast/expr.js";
import { type FunctionDeclaration, type Overload } from "../declarations/function-declaration.js";
import { type Library } from "../library/library.js";
import { type Macro, MacroError } from "../parser/macro.js";
import { expandMap } from "../parser/standard-macros.js";
import { formatType } from "../types/format-type.js";
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  stringType,
  type Type,
  timestampType,
  typeParam,
  uintType,
} from "../types/type.js";
import { compare } from "../values/compare.js";
import { equal } from "../values/equal.js";
import { ArrayList, elementsOf } from "../values/list-value.js";
import { typeOf } from "../values/type-of.js";
import { CelError, ListValue, type Value } from "../values/value.js";
import {
  estimateDistinct,
  estimateFlatten,
  estimateRange,
  estimateReverse,
  estimateSlice,
  estimateSort,
  estimateSortBy,
  trackFlatten,
  trackOutput,
  trackSelfCompare,
} from "./list-costs.js";

const listOfT = listType(typeParam("T"));
const listOfDyn = listType(dynType);

function slice(list: ListValue, start: number | bigint, end: number | bigint): Value {
  const call = `cannot slice(${start}, ${end})`;
  if (start < 0 || end < 0) return new CelError(`${call}, negative indexes not supported`);
  if (start > end) return new CelError(`${call}, start index must be less than or equal to end index`);
  if (list.size < end) return new CelError(`${call}, list is length ${list.size}`);
  return new ArrayList([...elementsOf(list)].slice(Number(start), Number(end)));
}

function flatten(list: ListValue, depth: number | bigint, into: Value[] = []): Value[] {
  for (const element of elementsOf(list)) {
    if (element instanceof ListValue && depth > 0) flatten(element, Number(depth) - 1, into);
    else into.push(element);
  }
  return into;
}

/** The list in the order of keys, one for each element; equal keys keep their order. */
function sortByKeys(list: ListValue, keys: ListValue): Value {
  if (list.size !== keys.size)
    return new CelError(
      `@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got ${list.size} and ${keys.size} elements respectively`,
    );
  const values = [...elementsOf(keys)];
  const [first] = values;
  if (first === undefined) return list;
  if (compare(first, first) instanceof CelError && !isNaNValue(first))
    return new CelError("list elements must be comparable");
  const { name } = typeOf(first);
  if (values.some((value) => typeOf(value).name !== name)) return new CelError("list elements must have the same type");
  const order = values.map((_, index) => index).sort((a, b) => orderOf(values[a] as Value, values[b] as Value));
  return new ArrayList(order.map((index) => list.get(index)));
}

const isNaNValue = (value: Value): boolean => typeOf(value) === doubleType;

function orderOf(a: Value, b: Value): number {
  const order = compare(a, b);
  return order instanceof CelError ? 0 : order;
}

function noFlatten(value: Value, args: readonly Value[]): CelError {
  const types = args.map((arg) => formatType(typeOf(arg))).join(", ");
  return new CelError(`no such overload: ${formatType(typeOf(value))}.flatten(${types})`);
}

function distinct(list: ListValue): Value {
  const kept: Value[] = [];
  for (const element of elementsOf(list)) if (!kept.some((other) => equal(element, other))) kept.push(element);
  return new ArrayList(kept);
}

/** Numbers and their order of declaration; the name is part of the overload's id. */
const comparable: readonly Type[] = [
  intType,
  uintType,
  doubleType,
  boolType,
  durationType,
  timestampType,
  stringType,
  bytesType,
];

const rangeLimit = 1_000_000;

function range(count: number | bigint): Value {
  // Far beyond any cost limit: such a list would only take memory.
  if (count > rangeLimit) return new CelError(`lists.range(${count}) exceeds the limit of ${rangeLimit} elements`);
  return new ArrayList(Array.from({ length: Math.max(0, Number(count)) }, (_, index) => index));
}

const functions: readonly FunctionDeclaration[] = [
  {
    name: "slice",
    overloads: [
      {
        id: "list_slice",
        args: [listOfT, intType, intType],
        result: listOfT,
        isMember: true,
        implementation: slice as NonNullable<Overload["implementation"]>,
        estimateCost: estimateSlice,
        trackCost: trackOutput,
      },
    ],
  },
  {
    name: "flatten",
    overloads: [
      {
        id: "list_flatten",
        args: [listType(listOfT)],
        result: listOfT,
        isMember: true,
        estimateCost: estimateFlatten,
        trackCost: trackFlatten,
      },
      {
        id: "list_flatten_int",
        args: [listOfDyn, intType],
        result: listOfDyn,
        isMember: true,
        estimateCost: estimateFlatten,
        trackCost: trackFlatten,
      },
    ],
    implementation(list, ...args) {
      const [depth = 1] = args;
      if (!(list instanceof ListValue)) return noFlatten(list as Value, args);
      if ((depth as number) < 0) return new CelError("level must be non-negative");
      return new ArrayList(flatten(list, depth as number | bigint));
    },
  },
  {
    name: "sort",
    overloads: comparable.map((type) => ({
      id: `list_${type.name}_sort`,
      args: [listType(type)],
      result: listType(type),
      isMember: true,
      estimateCost: estimateSort(type),
      trackCost: ([list]) => trackSelfCompare(list),
    })),
    implementation: (list) =>
      list instanceof ListValue ? sortByKeys(list, list) : new CelError("no such overload: sort"),
  },
  {
    name: "@sortByAssociatedKeys",
    overloads: comparable.map((type) => ({
      id: `list_${type.name}_sortByAssociatedKeys`,
      args: [listOfT, listType(type)],
      result: listOfT,
      isMember: true,
      estimateCost: estimateSortBy(type),
      trackCost: ([, keys]) => trackSelfCompare(keys),
    })),
    implementation: (list, keys) =>
      list instanceof ListValue && keys instanceof ListValue
        ? sortByKeys(list, keys)
        : new CelError("no such overload: @sortByAssociatedKeys"),
  },
  {
    name: "lists.range",
    overloads: [
      {
        id: "lists_range",
        args: [intType],
        result: listType(intType),
        implementation: (count) => range(count as number | bigint),
        estimateCost: estimateRange,
        trackCost: trackOutput,
      },
    ],
  },
  {
    name: "reverse",
    overloads: [
      {
        id: "list_reverse",
        args: [listOfT],
        result: listOfT,
        isMember: true,
        implementation: (list) => new ArrayList([...elementsOf(list as ListValue)].reverse()),
        estimateCost: estimateReverse,
        trackCost: trackOutput,
      },
    ],
  },
  {
    name: "distinct",
    overloads: [
      {
        id: "list_distinct",
        args: [listOfT],
        result: listOfT,
        isMember: true,
        implementation: (list) => distinct(list as ListValue),
        estimateCost: estimateDistinct,
        trackCost: ([list]) => trackSelfCompare(list),
      },
    ],
  },
];

const sortableTargets: ReadonlySet<Expr["kind"]> = new Set(["list", "select", "ident", "comprehension", "call"]);
const inputName = "@__sortBy_input__";

/** `list.sortBy(x, key)`: the list, bound to a name, sorted by the keys that `map` gives. */
const sortByMacro: Macro = {
  name: "sortBy",
  args: 2,
  isMember: true,
  expand(builder, target, args) {
    const list = target as Expr;
    if (!sortableTargets.has(list.kind))
      return new MacroError(
        list,
        "sortBy can only be applied to a list, identifier, comprehension, call or select expression",
      );
    const keys = expandMap(builder, builder.ident(inputName), args);
    if (keys instanceof MacroError) return keys;
    const sorted = builder.memberCall("@sortByAssociatedKeys", builder.ident(inputName), keys);
    return builder.comprehension({
      range: builder.list(),
      variable: "#unused",
      accumulator: inputName,
      init: list,
      condition: builder.literal(false),
      step: builder.ident(inputName),
      result: sorted,
    });
  },
};

/** cel-go's lists extension, version 3. */
export const listsLibrary: Library = { name: "lists", functions, macros: [sortByMacro] };
