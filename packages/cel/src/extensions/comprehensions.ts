import { type Expr } from "../ast/expr.js";
import { operators } from "../ast/operators.js";
import { type FunctionDeclaration } from "../declarations/function-declaration.js";
import { type Library } from "../library/library.js";
import { type Macro, type MacroBuilder, MacroError } from "../parser/macro.js";
import { iterationVariable, quantifier } from "../parser/standard-macros.js";
import { mapType, typeParam } from "../types/type.js";
import { EntriesMap, GrowingMap } from "../values/map-value.js";
import { showValue } from "../values/show-value.js";
import { CelError, type MapValue, type Value } from "../values/value.js";

const insertName = "cel.@mapInsert";

/** Index and element of a list, or key and value of a map. */
function iterationVariables(builder: MacroBuilder, args: readonly Expr[]): readonly [string, string] | MacroError {
  const [first, second] = args as [Expr, Expr];
  for (const arg of [first, second])
    if (arg.kind !== "ident") return new MacroError(arg, "argument must be a simple name");
  if (first.kind === "ident" && second.kind === "ident" && first.name === second.name)
    return new MacroError(second, `duplicate variable name: ${first.name}`);
  const key = iterationVariable(builder, first, "argument must be a simple name");
  if (key instanceof MacroError) return key;
  const value = iterationVariable(builder, second, "argument must be a simple name");
  return value instanceof MacroError ? value : [key, value];
}

const quantifierMacro = (name: string, kind: "all" | "exists" | "existsOne"): Macro => ({
  name,
  args: 3,
  isMember: true,
  expand(builder, target, args) {
    const variables = iterationVariables(builder, args);
    if (variables instanceof MacroError) return variables;
    const [variable, variable2] = variables;
    return builder.comprehension({
      range: target as Expr,
      variable,
      variable2,
      accumulator: builder.accumulator,
      ...quantifier(builder, kind, args[2] as Expr),
    });
  },
});

interface Transformation {
  readonly name: string;
  readonly init: (builder: MacroBuilder) => Expr;
  /** The accumulator with one more element. */
  readonly grow: (builder: MacroBuilder, element: Expr, key: string) => Expr;
}

const transformations: readonly Transformation[] = [
  {
    name: "transformList",
    init: (builder) => builder.list(),
    grow: (builder, element) => builder.call(operators.add, builder.accumulatorIdent(), builder.list(element)),
  },
  {
    name: "transformMap",
    init: (builder) => builder.map(),
    grow: (builder, element, key) => builder.call(insertName, builder.accumulatorIdent(), builder.ident(key), element),
  },
  {
    name: "transformMapEntry",
    init: (builder) => builder.map(),
    grow: (builder, element) => builder.call(insertName, builder.accumulatorIdent(), element),
  },
];

const transformationMacro = ({ name, init, grow }: Transformation, args: 3 | 4): Macro => ({
  name,
  args,
  isMember: true,
  expand(builder, target, given) {
    const variables = iterationVariables(builder, given);
    if (variables instanceof MacroError) return variables;
    const [variable, variable2] = variables;
    const predicate = args === 4 ? (given[2] as Expr) : undefined;
    const grown = grow(builder, given[args - 1] as Expr, variable);
    const step =
      predicate === undefined
        ? grown
        : builder.call(operators.conditional, predicate, grown, builder.accumulatorIdent());
    return builder.comprehension({
      range: target as Expr,
      variable,
      variable2,
      accumulator: builder.accumulator,
      init: init(builder),
      condition: builder.literal(true),
      step,
      result: builder.accumulatorIdent(),
    });
  },
});

function insert(map: MapValue, entries: Iterable<readonly [Value, Value]>): Value {
  const grown =
    map instanceof GrowingMap ? map : new EntriesMap([...map.keys()].map((key) => [key, map.find(key) as Value]));
  for (const [key, value] of entries) {
    if (grown.find(key) !== undefined) return new CelError(`insert failed: key ${showValue(key)} already exists`);
    grown.insert(key, value);
  }
  return grown;
}

const [paramK, paramV] = [typeParam("K"), typeParam("V")];
const mapOfKV = mapType(paramK, paramV);

const mapInsert: FunctionDeclaration = {
  name: insertName,
  overloads: [
    {
      id: "@mapInsert_map_key_value",
      args: [mapOfKV, paramK, paramV],
      result: mapOfKV,
      implementation: (map, key, value) => insert(map as MapValue, [[key as Value, value as Value]]),
    },
    {
      id: "@mapInsert_map_map",
      args: [mapOfKV, mapOfKV],
      result: mapOfKV,
      implementation: (map, other) => {
        const added = other as MapValue;
        return insert(
          map as MapValue,
          [...added.keys()].map((key) => [key, added.find(key) as Value] as const),
        );
      },
    },
  ],
};

/** cel-go's comprehensions over two variables. */
export const twoVariableComprehensions: Library = {
  name: "comprehensions",
  macros: [
    quantifierMacro("all", "all"),
    quantifierMacro("exists", "exists"),
    quantifierMacro("existsOne", "existsOne"),
    quantifierMacro("exists_one", "existsOne"),
    ...transformations.flatMap((transformation) => [
      transformationMacro(transformation, 3),
      transformationMacro(transformation, 4),
    ]),
  ],
  functions: [mapInsert],
};
