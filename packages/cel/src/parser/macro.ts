import { type Expr, type MapEntry } from "../ast/expr.js";
import { type Value } from "../values/value.js";

/** Makes the nodes that a macro expands to. All of them stand at the place of the macro's call. */
export interface MacroBuilder {
  /** The name of the variable in which comprehensions accumulate; no expression can write it. */
  readonly accumulator: string;
  accumulatorIdent(): Expr;
  literal(value: Value): Expr;
  ident(name: string): Expr;
  select(operand: Expr, field: string): Expr;
  presenceTest(operand: Expr, field: string): Expr;
  call(name: string, ...args: Expr[]): Expr;
  memberCall(name: string, target: Expr, ...args: Expr[]): Expr;
  list(...elements: Expr[]): Expr;
  map(...entries: MapEntry[]): Expr;
  comprehension(parts: ComprehensionParts): Expr;
  /** The same expression with node numbers of its own, for use in a second place. */
  copy(expr: Expr): Expr;
}

export interface ComprehensionParts {
  readonly range: Expr;
  readonly variable: string;
  readonly variable2?: string;
  readonly accumulator: string;
  readonly init: Expr;
  readonly condition: Expr;
  readonly step: Expr;
  readonly result: Expr;
}

/** The arguments of a macro do not fit: reported at the node `at`. */
export class MacroError {
  readonly at: Expr;
  readonly message: string;
  constructor(at: Expr, message: string) {
    this.at = at;
    this.message = message;
  }
}

/** A call that is replaced while parsing. */
export interface Macro {
  readonly name: string;
  readonly args: number;
  /** Called on a target (`list.all(…)`) rather than alone (`has(…)`). */
  readonly isMember: boolean;
  /** The expansion; undefined leaves the call as it stands. */
  expand(builder: MacroBuilder, target: Expr | undefined, args: readonly Expr[]): Expr | MacroError | undefined;
}

export const macroKey = (name: string, args: number, isMember: boolean): string => `${name}:${args}:${isMember}`;
