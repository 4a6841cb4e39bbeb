/** A token of TypeScript, as coarse as finding regular expressions needs it. */
export interface Token {
  readonly kind: "word" | "number" | "string" | "template" | "regexp" | "sign";
  readonly text: string;
  readonly line: number;
  /** Of a template: its texts and, between them, the tokens of each `${…}`. */
  readonly parts?: readonly (string | readonly Token[])[];
}

/** Words behind which a slash begins a regular expression; behind any other word it divides. */
const beforeExpression = new Set(
  "return typeof case in of delete void throw new else do yield await instanceof extends default".split(" "),
);
const words = /[\p{L}\p{N}_$#]+/uy;
const blanks = /\s+/y;
const lineComments = /\/\/[^\n]*/y;

const matchAt = (pattern: RegExp, text: string, at: number): string | undefined => {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
};

export function tokensOf(text: string): Token[] {
  return new Tokenizer(text).run("");
}

class Tokenizer {
  readonly #text: string;
  #at = 0;
  #line = 1;

  constructor(text: string) {
    this.#text = text;
  }

  /** Tokens up to an unbalanced `close`, which is left where it is. */
  run(close: "}" | ""): Token[] {
    const tokens: Token[] = [];
    let depth = 0;
    while (this.#at < this.#text.length) {
      const text = this.#text;
      const skipped = matchAt(blanks, text, this.#at) ?? matchAt(lineComments, text, this.#at) ?? this.#blockComment();
      if (skipped !== undefined) {
        this.#skip(skipped);
        continue;
      }
      const character = text[this.#at]!;
      if (close !== "" && depth === 0 && character === close) return tokens;
      if (character === "{") depth += 1;
      if (character === "}") depth -= 1;
      tokens.push(this.#token(character, tokens.at(-1)));
    }
    return tokens;
  }

  #skip(text: string): void {
    for (const character of text) if (character === "\n") this.#line += 1;
    this.#at += text.length;
  }

  #blockComment(): string | undefined {
    if (!this.#text.startsWith("/*", this.#at)) return undefined;
    const end = this.#text.indexOf("*/", this.#at + 2);
    return this.#text.slice(this.#at, end < 0 ? undefined : end + 2);
  }

  #token(character: string, previous: Token | undefined): Token {
    const line = this.#line;
    if (character === "`") return this.#template(line);
    const text =
      character === '"' || character === "'"
        ? this.#quoted(character)
        : character === "/" && beginsRegexp(previous, /\s/.test(this.#text[this.#at - 1] ?? ""))
          ? this.#regexp()
          : (matchAt(words, this.#text, this.#at) ?? character);
    this.#skip(text);
    if (character === '"' || character === "'") return { kind: "string", text, line };
    if (text.length > 1 && character === "/") return { kind: "regexp", text, line };
    return { kind: /^\d/.test(text) ? "number" : /^[\p{L}_$#]/u.test(text) ? "word" : "sign", text, line };
  }

  #quoted(quote: string): string {
    let end = this.#at + 1;
    while (end < this.#text.length && this.#text[end] !== quote) end += this.#text[end] === "\\" ? 2 : 1;
    return this.#text.slice(this.#at, end + 1);
  }

  #regexp(): string {
    let end = this.#at + 1;
    let inClass = false;
    for (; end < this.#text.length; end++) {
      const character = this.#text[end];
      if (character === "\\") end += 1;
      else if (character === "[") inClass = true;
      else if (character === "]") inClass = false;
      else if (character === "/" && !inClass) break;
      else if (character === "\n") return "/";
    }
    return this.#text.slice(this.#at, end + 1) + (matchAt(words, this.#text, end + 1) ?? "");
  }

  #template(line: number): Token {
    const parts: (string | readonly Token[])[] = [];
    const start = this.#at;
    let from = ++this.#at;
    while (this.#at < this.#text.length && this.#text[this.#at] !== "`") {
      if (this.#text.startsWith("${", this.#at)) {
        parts.push(this.#text.slice(from, this.#at));
        this.#at += 2;
        parts.push(this.run("}"));
        from = ++this.#at;
      } else {
        const escaped = this.#text[this.#at] === "\\";
        this.#skip(this.#text.slice(this.#at, this.#at + (escaped ? 2 : 1)));
      }
    }
    parts.push(this.#text.slice(from, this.#at));
    this.#at += 1;
    return { kind: "template", text: this.#text.slice(start, this.#at), line, parts };
  }
}

function beginsRegexp(previous: Token | undefined, behindBlank: boolean): boolean {
  if (previous === undefined) return true;
  // `!/x/.test(y)` negates, `x! / 2` asserts that x is not null.
  if (previous.text === "!") return !behindBlank;
  if (previous.kind === "word") return beforeExpression.has(previous.text);
  return previous.kind === "sign" && ![")", "]", "}"].includes(previous.text);
}
