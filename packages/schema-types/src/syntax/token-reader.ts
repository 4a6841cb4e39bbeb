import type { Token } from "./scan.js";
import { SourceError, type SourceText } from "./source-place.js";

/** A position in the tokens of a file. */
export class TokenReader {
  readonly source: SourceText;
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(source: SourceText, tokens: readonly Token[]) {
    this.source = source;
    this.#tokens = tokens;
  }

  get token(): Token {
    return this.peek(0);
  }

  peek(ahead: number): Token {
    return this.#tokens[Math.min(this.#at + ahead, this.#tokens.length - 1)]!;
  }

  next(): Token {
    const token = this.token;
    if (token.kind !== "end") this.#at += 1;
    return token;
  }

  is(text: string): boolean {
    return this.token.text === text && (this.token.kind === "punctuation" || this.token.kind === "name");
  }

  /** Steps over `text` if it stands here. */
  take(text: string): boolean {
    if (!this.is(text)) return false;
    this.next();
    return true;
  }

  expect(text: string): Token {
    if (!this.is(text)) throw this.error(`"${text}" is expected here, not ${this.#shown()}`);
    return this.next();
  }

  name(): string {
    if (this.token.kind !== "name") throw this.error(`a name is expected here, not ${this.#shown()}`);
    return this.next().text;
  }

  error(message: string): SourceError {
    return new SourceError({ source: this.source, offset: this.token.offset }, message);
  }

  /** Steps over an opening bracket, everything inside and its closing one. */
  skipBrackets(): void {
    const opened = this.next();
    for (let depth = 1; depth > 0; ) {
      if (this.token.kind === "end")
        throw new SourceError({ source: this.source, offset: opened.offset }, `this "${opened.text}" is never closed`);
      const { kind, text } = this.next();
      if (kind !== "punctuation") continue;
      if (text === "{" || text === "(" || text === "[") depth += 1;
      else if (text === "}" || text === ")" || text === "]") depth -= 1;
    }
  }

  #shown(): string {
    return this.token.kind === "end" ? "the end of the file" : `"${this.token.text}"`;
  }
}
