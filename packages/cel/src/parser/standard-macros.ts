import { type Expr } from "../ast/expr.js";
import { operators } from "../ast/operators.js";
import { type Macro, type MacroBuilder, MacroError } from "./macro.js";

/** The accumulator's older name, which iteration variables may not have either. */
const formerAccumulator = "__result__";

export const hasMacro: Macro = {
  name: "has",
  args: 1,
  isMember: false,
  expand(builder, _target, [arg]) {
    const field = arg as Expr;
    if (field.kind === "select") return builder.presenceTest(field.operand, field.field);
    return new MacroError(field, "invalid argument to has() macro");
  },
};

/** How `all`, `exists` and `exists_one` fold a predicate. */
export function quantifier(builder: MacroBuilder, kind: "all" | "exists" | "existsOne", predicate: Expr) {
  const accumulated = (): Expr => builder.accumulatorIdent();
  switch (kind) {
    case "all":
      return {
        init: builder.literal(true),
        condition: builder.call(operators.notStrictlyFalse, accumulated()),
        step: builder.call(operators.logicalAnd, accumulated(), predicate),
        result: accumulated(),
      };
    case "exists":
      return {
        init: builder.literal(false),
        condition: builder.call(operators.notStrictlyFalse, builder.call(operators.logicalNot, accumulated())),
        step: builder.call(operators.logicalOr, accumulated(), predicate),
        result: accumulated(),
      };
    case "existsOne": {
      const oneMore = builder.call(operators.add, accumulated(), builder.literal(1));
      return {
        init: builder.literal(0),
        condition: builder.literal(true),
        step: builder.call(operators.conditional, predicate, oneMore, accumulated()),
        result: builder.call(operators.equals, accumulated(), builder.literal(1)),
      };
    }
  }
}

/** The name of an iteration variable, or why the argument is none. */
export function iterationVariable(builder: MacroBuilder, arg: Expr, notAName: string): string | MacroError {
  if (arg.kind !== "ident") return new MacroError(arg, notAName);
  if (arg.name === builder.accumulator || arg.name === formerAccumulator)
    return new MacroError(arg, "iteration variable overwrites accumulator variable");
  return arg.name;
}

const quantifierMacro = (name: string, kind: "all" | "exists" | "existsOne"): Macro => ({
  name,
  args: 2,
  isMember: true,
  expand(builder, target, args) {
    const [name, predicate] = args as [Expr, Expr];
    const variable = iterationVariable(builder, name, "argument must be a simple name");
    if (variable instanceof MacroError) return variable;
    const { accumulator } = builder;
    return builder.comprehension({
      range: target as Expr,
      variable,
      accumulator,
      ...quantifier(builder, kind, predicate),
    });
  },
});

/** `range.map(x, f)` and `range.map(x, p, f)`; also what sortBy computes its keys by. */
export function expandMap(builder: MacroBuilder, target: Expr, args: readonly Expr[]): Expr | MacroError {
  const variable = iterationVariable(builder, args[0] as Expr, "argument is not an identifier");
  if (variable instanceof MacroError) return variable;
  const transform = args.at(-1) as Expr;
  const predicate = args.length === 3 ? (args[1] as Expr) : undefined;
  return collect(builder, { target, variable, predicate, element: transform });
}

interface Collected {
  readonly target: Expr;
  readonly variable: string;
  readonly predicate: Expr | undefined;
  readonly element: Expr;
}

function collect(builder: MacroBuilder, { target, variable, predicate, element }: Collected): Expr {
  const init = builder.list();
  const condition = builder.literal(true);
  const grown = builder.call(operators.add, builder.accumulatorIdent(), builder.list(element));
  const step =
    predicate === undefined ? grown : builder.call(operators.conditional, predicate, grown, builder.accumulatorIdent());
  const { accumulator } = builder;
  const result = builder.accumulatorIdent();
  return builder.comprehension({ range: target, variable, accumulator, init, condition, step, result });
}

const mapMacro = (args: number): Macro => ({
  name: "map",
  args,
  isMember: true,
  expand: (builder, target, given) => expandMap(builder, target as Expr, given),
});

const filterMacro: Macro = {
  name: "filter",
  args: 2,
  isMember: true,
  expand(builder, target, args) {
    const [element, predicate] = args as [Expr, Expr];
    const variable = iterationVariable(builder, element, "argument is not an identifier");
    if (variable instanceof MacroError) return variable;
    return collect(builder, { target: target as Expr, variable, predicate, element });
  },
};

/** The macros of the language itself. */
export const standardMacros: readonly Macro[] = [
  hasMacro,
  quantifierMacro("all", "all"),
  quantifierMacro("exists", "exists"),
  quantifierMacro("exists_one", "existsOne"),
  mapMacro(2),
  mapMacro(3),
  filterMacro,
];
