/** Terminals by the names that upstream's syntax errors show; operators and keywords stand for themselves. */
export type TokenKind =
  | "=="
  | "!="
  | "in"
  | "<"
  | "<="
  | ">="
  | ">"
  | "&&"
  | "||"
  | "["
  | "]"
  | "{"
  | "}"
  | "("
  | ")"
  | "."
  | ","
  | "-"
  | "!"
  | "?"
  | ":"
  | "+"
  | "*"
  | "/"
  | "%"
  | "true"
  | "false"
  | "null"
  | "NUM_FLOAT"
  | "NUM_INT"
  | "NUM_UINT"
  | "STRING"
  | "BYTES"
  | "IDENTIFIER"
  | "ESC_IDENTIFIER"
  | "EOF";

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  /** UTF-16 units from the start of the expression. */
  readonly start: number;
}

/** In the order of upstream's grammar: sets of expected tokens are listed in it. */
export const tokenOrder: readonly TokenKind[] = [
  "EOF",
  "==",
  "!=",
  "in",
  "<",
  "<=",
  ">=",
  ">",
  "&&",
  "||",
  "[",
  "]",
  "{",
  "}",
  "(",
  ")",
  ".",
  ",",
  "-",
  "!",
  "?",
  ":",
  "+",
  "*",
  "/",
  "%",
  "true",
  "false",
  "null",
  "NUM_FLOAT",
  "NUM_INT",
  "NUM_UINT",
  "STRING",
  "BYTES",
  "IDENTIFIER",
  "ESC_IDENTIFIER",
];

/** A name that is no variable, though the grammar would have it. */
export const reservedNames: ReadonlySet<string> = new Set(
  "as break const continue else false for function if import in let loop package namespace null return true var void while".split(
    " ",
  ),
);
