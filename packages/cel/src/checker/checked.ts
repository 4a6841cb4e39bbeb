import { type Expr } from "../ast/expr.js";
import { type ParsedExpr } from "../parser/parser.js";
import { type Type } from "../types/type.js";
import { type Value } from "../values/value.js";

/** What a name in an expression turned out to be. */
export type Reference =
  | { readonly kind: "ident"; readonly name: string; readonly value: Value | undefined }
  | {
      readonly kind: "function";
      readonly name: string;
      /** Every overload that the argument types allow. */
      readonly overloads: readonly string[];
      /** `a.b.f(x)` is the function `a.b.f`: there is no target to evaluate. */
      readonly isQualified: boolean;
    };

/** An expression with its types: good for evaluation and cost estimates. */
export interface CheckedExpr extends ParsedExpr {
  /** Of the whole expression. */
  readonly type: Type;
  readonly types: ReadonlyMap<number, Type>;
  readonly references: ReadonlyMap<number, Reference>;
}

export const typeOfExpr = (checked: CheckedExpr, expr: Expr): Type => {
  const type = checked.types.get(expr.id);
  if (type === undefined) throw new Error(`node ${expr.id} was not checked`);
  return type;
};

/** The variable that a node refers to, a chain of selects included; undefined for any other node. */
export function variableOf(checked: CheckedExpr, expr: Expr): string | undefined {
  if (expr.kind !== "ident" && expr.kind !== "select") return undefined;
  const reference = checked.references.get(expr.id);
  return reference?.kind === "ident" ? reference.name : undefined;
}

export function functionOf(checked: CheckedExpr, expr: Expr): (Reference & { kind: "function" }) | undefined {
  const reference = checked.references.get(expr.id);
  return reference?.kind === "function" ? reference : undefined;
}
