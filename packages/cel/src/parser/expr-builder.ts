import { type ComprehensionExpr, type Expr, type MapEntry, type StructField } from "../ast/expr.js";
import { type Value } from "../values/value.js";
import { type ComprehensionParts, type MacroBuilder } from "./macro.js";

export const accumulatorName = "@result";

/** Numbers the nodes of one expression and remembers where each begins. */
export class ExprBuilder {
  readonly offsets = new Map<number, number>();
  #next = 1;

  id(offset: number): number {
    const id = this.#next++;
    this.offsets.set(id, offset);
    return id;
  }

  literal(offset: number, value: Value): Expr {
    return { kind: "literal", id: this.id(offset), value };
  }

  ident(offset: number, name: string): Expr {
    return { kind: "ident", id: this.id(offset), name };
  }

  select(offset: number, operand: Expr, field: string): Expr {
    return { kind: "select", id: this.id(offset), operand, field, testOnly: false };
  }

  call(id: number, name: string, args: readonly Expr[], target?: Expr): Expr {
    return { kind: "call", id, function: name, args, target };
  }

  unspecified(offset: number): Expr {
    return { kind: "unspecified", id: this.id(offset) };
  }

  /** `a && b && c` as a balanced tree: its depth grows with the logarithm of its terms. */
  balanced(operator: string, terms: readonly Expr[], ids: readonly number[]): Expr {
    const build = (low: number, high: number): Expr => {
      const middle = (low + high + 1) >> 1;
      const left = middle === low ? (terms[middle] as Expr) : build(low, middle - 1);
      const right = middle === high ? (terms[middle + 1] as Expr) : build(middle + 1, high);
      return this.call(ids[middle] as number, operator, [left, right]);
    };
    return ids.length === 0 ? (terms[0] as Expr) : build(0, ids.length - 1);
  }

  /** What a macro called at `offset` builds with. */
  macroBuilder(offset: number): MacroBuilder {
    const id = (): number => this.id(offset);
    return {
      accumulator: accumulatorName,
      accumulatorIdent: () => this.ident(offset, accumulatorName),
      literal: (value) => this.literal(offset, value),
      ident: (name) => this.ident(offset, name),
      select: (operand, field) => this.select(offset, operand, field),
      presenceTest: (operand, field) => ({ kind: "select", id: id(), operand, field, testOnly: true }),
      call: (name, ...args) => this.call(id(), name, args),
      memberCall: (name, target, ...args) => this.call(id(), name, args, target),
      list: (...elements) => ({ kind: "list", id: id(), elements, optionals: [] }),
      map: (...entries) => ({ kind: "map", id: id(), entries }),
      comprehension: (parts) => comprehension(id(), parts),
      copy: (expr) => this.#copy(expr, offset),
    };
  }

  #copy(expr: Expr, macroOffset: number): Expr {
    const id = this.id(this.offsets.get(expr.id) ?? macroOffset);
    const copy = (child: Expr): Expr => this.#copy(child, macroOffset);
    switch (expr.kind) {
      case "literal":
      case "ident":
      case "unspecified":
        return { ...expr, id };
      case "select":
        return { ...expr, id, operand: copy(expr.operand) };
      case "call":
        return { ...expr, id, target: expr.target && copy(expr.target), args: expr.args.map(copy) };
      case "list":
        return { ...expr, id, elements: expr.elements.map(copy) };
      case "map":
        return {
          ...expr,
          id,
          entries: expr.entries.map(
            (entry): MapEntry => ({
              ...entry,
              id: this.id(macroOffset),
              key: copy(entry.key),
              value: copy(entry.value),
            }),
          ),
        };
      case "struct":
        return {
          ...expr,
          id,
          fields: expr.fields.map(
            (field): StructField => ({ ...field, id: this.id(macroOffset), value: copy(field.value) }),
          ),
        };
      case "comprehension":
        return {
          ...expr,
          id,
          range: copy(expr.range),
          init: copy(expr.init),
          condition: copy(expr.condition),
          step: copy(expr.step),
          result: copy(expr.result),
        };
    }
  }
}

const comprehension = (id: number, parts: ComprehensionParts): ComprehensionExpr => ({
  kind: "comprehension",
  id,
  ...parts,
  variable2: parts.variable2,
});
