import { type Value } from "../values/value.js";

/** A node of a parsed expression. Macros are expanded already: `has` is a select that only tests, the others are comprehensions. */
export type Expr =
  | LiteralExpr
  | IdentExpr
  | SelectExpr
  | CallExpr
  | ListExpr
  | MapExpr
  | StructExpr
  | ComprehensionExpr
  | UnspecifiedExpr;

export interface LiteralExpr {
  readonly kind: "literal";
  readonly id: number;
  readonly value: Value;
}

export interface IdentExpr {
  readonly kind: "ident";
  readonly id: number;
  /** With a leading dot where the expression has one: the name is then looked up at the root only. */
  readonly name: string;
}

export interface SelectExpr {
  readonly kind: "select";
  readonly id: number;
  readonly operand: Expr;
  readonly field: string;
  /** has(operand.field) */
  readonly testOnly: boolean;
}

export interface CallExpr {
  readonly kind: "call";
  readonly id: number;
  readonly target: Expr | undefined;
  readonly function: string;
  readonly args: readonly Expr[];
}

export interface ListExpr {
  readonly kind: "list";
  readonly id: number;
  readonly elements: readonly Expr[];
  /** Indices of the elements written with a `?`. */
  readonly optionals: readonly number[];
}

export interface MapEntry {
  readonly id: number;
  readonly key: Expr;
  readonly value: Expr;
  readonly optional: boolean;
}

export interface MapExpr {
  readonly kind: "map";
  readonly id: number;
  readonly entries: readonly MapEntry[];
}

export interface StructField {
  readonly id: number;
  readonly name: string;
  readonly value: Expr;
  readonly optional: boolean;
}

export interface StructExpr {
  readonly kind: "struct";
  readonly id: number;
  readonly typeName: string;
  readonly fields: readonly StructField[];
}

/** A fold over a list or map; with an empty range and a condition that is false it binds a variable (cel.bind). */
export interface ComprehensionExpr {
  readonly kind: "comprehension";
  readonly id: number;
  readonly range: Expr;
  readonly variable: string;
  /** The second variable; undefined for comprehensions over one. */
  readonly variable2: string | undefined;
  readonly accumulator: string;
  readonly init: Expr;
  readonly condition: Expr;
  readonly step: Expr;
  readonly result: Expr;
}

/** Stands where parsing failed; no checked expression has one. */
export interface UnspecifiedExpr {
  readonly kind: "unspecified";
  readonly id: number;
}

/** The name `a.b.c` of a chain of selects on an identifier, or undefined for anything else. */
export function qualifiedName(expr: Expr): string | undefined {
  if (expr.kind === "ident") return expr.name;
  if (expr.kind !== "select" || expr.testOnly) return undefined;
  const prefix = qualifiedName(expr.operand);
  return prefix === undefined ? undefined : `${prefix}.${expr.field}`;
}

/** The nodes directly below one, in the order in which upstream visits them. */
export function childrenOf(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case "literal":
    case "ident":
    case "unspecified":
      return [];
    case "select":
      return [expr.operand];
    case "call":
      return expr.target === undefined ? expr.args : [expr.target, ...expr.args];
    case "list":
      return expr.elements;
    case "map":
      return expr.entries.flatMap((entry) => [entry.key, entry.value]);
    case "struct":
      return expr.fields.map((field) => field.value);
    case "comprehension":
      return [expr.range, expr.init, expr.condition, expr.step, expr.result];
  }
}
