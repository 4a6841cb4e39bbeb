/** A parsed template of Go's text/template language. */
export type TemplateNode =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "action"; readonly pipe: Pipe; readonly line: number }
  | BranchNode
  | { readonly kind: "break" }
  | { readonly kind: "continue" };

export interface BranchNode {
  readonly kind: "if" | "with" | "range";
  readonly pipe: Pipe;
  readonly body: readonly TemplateNode[];
  readonly otherwise: readonly TemplateNode[];
  readonly line: number;
}

/** Commands from left to right; each gets the value of the one before as its last argument. */
export interface Pipe {
  /** Variables that the value is given to; two only in a range. */
  readonly variables: readonly string[];
  /** `=` instead of `:=`: the variables exist already. */
  readonly isAssignment: boolean;
  readonly commands: readonly Command[];
}

/** The first is called with the rest, where it is a function; else it stands alone. */
export type Command = readonly Operand[];

export type Operand =
  | { readonly kind: "dot" }
  | { readonly kind: "nil" }
  | { readonly kind: "literal"; readonly value: string | number | boolean }
  | { readonly kind: "variable"; readonly name: string }
  | { readonly kind: "function"; readonly name: string }
  | { readonly kind: "pipe"; readonly pipe: Pipe }
  | { readonly kind: "fields"; readonly of: Operand; readonly names: readonly string[] };

/** What is wrong with a template, and in which of its lines. */
export class TemplateError extends Error {
  override readonly name = "TemplateError";
  constructor(line: number, problem: string) {
    super(`line ${line}: ${problem}`);
  }
}
