import type { Token, TokenKind } from "./token.js";

/** Ends parsing: the text is no expression. */
export class ParseFailure extends Error {}

/** Where the parser is in its tokens, the last of which is EOF. */
export class TokenCursor {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  get token(): Token {
    return this.#tokens[this.#at] as Token;
  }

  get kind(): TokenKind {
    return this.token.kind;
  }

  is(kind: TokenKind): boolean {
    return this.token.kind === kind;
  }

  next(): Token {
    const token = this.token;
    if (token.kind !== "EOF") this.#at++;
    return token;
  }

  accept(kind: TokenKind): Token | undefined {
    return this.kind === kind ? this.next() : undefined;
  }

  /** @throws ParseFailure where another token stands here */
  expect(kind: TokenKind): Token {
    if (this.kind !== kind) throw new ParseFailure();
    return this.next();
  }

  /** The name of a field. @throws ParseFailure where something else stands here */
  expectName(): Token {
    const name = this.next();
    if (name.kind !== "IDENTIFIER" && name.kind !== "ESC_IDENTIFIER") throw new ParseFailure();
    return name;
  }

  /** Whether the next token but one is a number that can have a sign. */
  get isNumberNext(): boolean {
    const kind = this.#tokens[this.#at + 1]?.kind;
    return kind === "NUM_INT" || kind === "NUM_FLOAT";
  }

  /** `.b.C` of a message that follows, read up to its brace; undefined where no message follows. */
  messageName(): string | undefined {
    let at = this.#at;
    let name = "";
    while (this.#tokens[at]?.kind === "." && this.#tokens[at + 1]?.kind === "IDENTIFIER") {
      name += `.${(this.#tokens[at + 1] as Token).text}`;
      at += 2;
    }
    if (this.#tokens[at]?.kind !== "{") return undefined;
    this.#at = at;
    return name;
  }
}
