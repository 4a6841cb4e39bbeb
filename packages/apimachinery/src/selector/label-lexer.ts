export type TokenKind =
  | "error"
  | "end"
  | ")"
  | ","
  | "!"
  | "=="
  | "="
  | ">"
  | "identifier"
  | "in"
  | "<"
  | "!="
  | "notin"
  | "(";

export interface Token {
  readonly kind: TokenKind;
  readonly literal: string;
}

const symbols: ReadonlySet<string> = new Set([")", ",", "!", "==", "=", ">", "<", "!=", "("]);
const isSymbol = (unit: string): boolean => unit !== "" && "=!(),><".includes(unit);
const isBlank = (unit: string): boolean => unit === " " || unit === "\t" || unit === "\r" || unit === "\n";
/** Upstream reads the byte zero as the end of the text. */
const isEnd = (unit: string): boolean => unit === "" || unit === "\0";

/** The tokens of a label selector; the last one is the end. */
export function lexLabelSelector(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (;;) {
    while (isBlank(text.charAt(at))) at++;
    const first = text.charAt(at);
    if (isEnd(first)) {
      tokens.push({ kind: "end", literal: "" });
      return tokens;
    }
    const { token, next } = isSymbol(first) ? lexSymbol(text, at) : lexWord(text, at);
    tokens.push(token);
    at = next;
  }
}

function lexWord(text: string, start: number): { token: Token; next: number } {
  let at = start;
  while (!isEnd(text.charAt(at)) && !isSymbol(text.charAt(at)) && !isBlank(text.charAt(at))) at++;
  const literal = text.slice(start, at);
  const kind = literal === "in" || literal === "notin" ? literal : "identifier";
  return { token: { kind, literal }, next: text.charAt(at) === "\0" ? at + 1 : at };
}

/** The longest symbol here: `==` before `=`. Every symbol begins with one that stands alone, so there is always one. */
function lexSymbol(text: string, start: number): { token: Token; next: number } {
  const two = text.slice(start, start + 2);
  const literal = symbols.has(two) ? two : text.charAt(start);
  const next = start + literal.length;
  return { token: { kind: literal as TokenKind, literal }, next: text.charAt(next) === "\0" ? next + 1 : next };
}
