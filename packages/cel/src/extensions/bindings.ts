import { type Expr } from "../ast/expr.js";
import { type Library } from "../library/library.js";
import { type Macro, MacroError } from "../parser/macro.js";

/** `cel.bind(name, value, expression)`: the value is computed once, when it is first used. */
const bindMacro: Macro = {
  name: "bind",
  args: 3,
  isMember: true,
  expand(builder, target, args) {
    if (target?.kind !== "ident" || target.name !== "cel") return undefined;
    const [name, init, result] = args as [Expr, Expr, Expr];
    if (name.kind !== "ident") return new MacroError(name, "cel.bind() variable names must be simple identifiers");
    return builder.comprehension({
      range: builder.list(),
      variable: "#unused",
      accumulator: name.name,
      init,
      condition: builder.literal(false),
      step: builder.ident(name.name),
      result,
    });
  },
};

/** cel-go's bindings extension; in Kubernetes only device selectors have it. */
export const bindingsLibrary: Library = { name: "bindings", macros: [bindMacro] };
