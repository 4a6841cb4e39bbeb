import { type Expr } from "../ast/expr.js";
import { operators } from "../ast/operators.js";
import { type FunctionDeclaration, type Overload } from "../declarations/function-declaration.js";
import { type Library } from "../library/library.js";
import { type Macro, type MacroBuilder, MacroError } from "../parser/macro.js";
import {
  anyOptionalType,
  boolType,
  dynType,
  intType,
  listType,
  mapType,
  optionalType,
  stringType,
  typeParam,
} from "../types/type.js";
import { isZeroValue } from "../values/equal.js";
import { ArrayList, elementsOf } from "../values/list-value.js";
import { showValue } from "../values/show-value.js";
import { CelError, type ListValue, OptionalValue, optionalNone, type Value } from "../values/value.js";

const [paramK, paramV] = [typeParam("K"), typeParam("V")];
const optionalV = optionalType(paramV);
const listOfV = listType(paramV);
const mapOfKV = mapType(paramK, paramV);
const listOfOptionals = listType(optionalV);

const of = (value: Value | undefined): Value => new OptionalValue(value);

const dereference = ({ value }: OptionalValue): Value =>
  value === undefined ? new CelError("optional.none() dereference") : value;

function unwrap(list: Value | undefined): Value {
  const values: Value[] = [];
  for (const element of elementsOf(list as ListValue)) {
    if (!(element instanceof OptionalValue)) return new CelError(`value ${showValue(element)} is not optional`);
    if (element.value !== undefined) values.push(element.value);
  }
  return new ArrayList(values);
}

/** Planned by the interpreter: only its types matter. */
const planned = (id: string, args: Overload["args"], result: Overload["result"], isMember = false): Overload => ({
  id,
  args,
  result,
  isMember,
});

const functions: readonly FunctionDeclaration[] = [
  {
    name: "optional.of",
    overloads: [{ id: "optional_of", args: [paramV], result: optionalV, implementation: of }],
  },
  {
    name: "optional.ofNonZeroValue",
    overloads: [
      {
        id: "optional_ofNonZeroValue",
        args: [paramV],
        result: optionalV,
        implementation: (value) => (isZeroValue(value as Value) ? optionalNone : of(value)),
      },
    ],
  },
  {
    name: "optional.none",
    overloads: [{ id: "optional_none", args: [], result: optionalV, implementation: () => optionalNone }],
  },
  {
    name: "value",
    overloads: [
      {
        id: "optional_value",
        args: [optionalV],
        result: paramV,
        isMember: true,
        implementation: (value) => dereference(value as OptionalValue),
      },
    ],
  },
  {
    name: "hasValue",
    overloads: [
      {
        id: "optional_hasValue",
        args: [optionalV],
        result: boolType,
        isMember: true,
        implementation: (value) => (value as OptionalValue).value !== undefined,
      },
    ],
  },
  { name: "or", overloads: [planned("optional_or_optional", [optionalV, optionalV], optionalV, true)] },
  { name: "orValue", overloads: [planned("optional_orValue_value", [optionalV, paramV], paramV, true)] },
  {
    name: operators.optSelect,
    overloads: [planned("select_optional_field", [dynType, stringType], optionalV)],
  },
  {
    name: operators.optIndex,
    overloads: [
      planned("list_optindex_optional_int", [listOfV, intType], optionalV),
      planned("optional_list_optindex_optional_int", [optionalType(listOfV), intType], optionalV),
      planned("map_optindex_optional_value", [mapOfKV, paramK], optionalV),
      planned("optional_map_optindex_optional_value", [optionalType(mapOfKV), paramK], optionalV),
    ],
  },
  {
    name: operators.index,
    overloads: [
      planned("optional_list_index_int", [optionalType(listOfV), intType], optionalV),
      planned("optional_map_index_value", [optionalType(mapOfKV), paramK], optionalV),
    ],
  },
  {
    name: "last",
    overloads: [
      {
        id: "list_last",
        args: [listOfV],
        result: optionalV,
        isMember: true,
        implementation: (list) => atOf(list as ListValue, (list as ListValue).size - 1),
      },
    ],
  },
  {
    name: "first",
    overloads: [
      {
        id: "list_first",
        args: [listOfV],
        result: optionalV,
        isMember: true,
        implementation: (list) => atOf(list as ListValue, 0),
      },
    ],
  },
  {
    name: "optional.unwrap",
    overloads: [{ id: "optional_unwrap", args: [listOfOptionals], result: listOfV, implementation: unwrap }],
  },
  {
    name: "unwrapOpt",
    overloads: [
      { id: "optional_unwrapOpt", args: [listOfOptionals], result: listOfV, isMember: true, implementation: unwrap },
    ],
  },
];

const atOf = (list: ListValue, index: number): Value => (list.size === 0 ? optionalNone : of(list.get(index)));

/** `optional.optMap(x, f)` holds f of the value; `optFlatMap` is f of the value, which is an optional itself. */
const mapMacro = (name: string, wrap: (builder: MacroBuilder, result: Expr) => Expr): Macro => ({
  name,
  args: 2,
  isMember: true,
  expand(builder, target, args) {
    const [variable, transform] = args as [Expr, Expr];
    if (variable.kind !== "ident")
      return new MacroError(variable, `${name}() variable name must be a simple identifier`);
    const optional = target as Expr;
    const condition = builder.memberCall("hasValue", optional);
    const bound = builder.comprehension({
      range: builder.list(),
      variable: "#unused",
      accumulator: variable.name,
      init: builder.memberCall("value", builder.copy(optional)),
      condition: builder.literal(false),
      step: builder.ident(variable.name),
      result: transform,
    });
    return builder.call(operators.conditional, condition, wrap(builder, bound), builder.call("optional.none"));
  },
});

/** Optional values; needs the environment's `optionalSyntax`. */
export const optionalsLibrary: Library = {
  name: "optional",
  types: [anyOptionalType],
  functions,
  macros: [
    mapMacro("optMap", (builder, result) => builder.call("optional.of", result)),
    mapMacro("optFlatMap", (_builder, result) => result),
  ],
};
