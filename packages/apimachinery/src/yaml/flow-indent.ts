/**
 * Indents the lines inside of `[…]`, `{…}` and quotes that stand too far left for YAML 1.2, so that js-yaml can read them:
 *
 *     command: [
 *       "sh"
 *     ]
 *
 * is common in manifests and fine with go-yaml, which does not look at indentation there.
 * Only blanks are added, and only at the beginning of lines inside of brackets and quotes, where they mean nothing; line numbers stay.
 */
export function indentFlowLines(text: string): string {
  return new FlowIndenter(text).run();
}

class FlowIndenter {
  readonly #text: string;
  #at = 0;
  #lineStart = 0;
  /** Output up to `#copied`. */
  #output = "";
  #copied = 0;

  constructor(text: string) {
    this.#text = text;
  }

  run(): string {
    while (this.#at < this.#text.length) this.#blockLine();
    return this.#output + this.#text.slice(this.#copied);
  }

  /** One line outside of brackets: indicators, keys, properties and what they lead to. */
  #blockLine(): void {
    this.#lineStart = this.#at;
    this.#skipBlanks();
    let parent = this.#at - this.#lineStart;
    for (;;) {
      const char = this.#text[this.#at];
      if (char === undefined || char === "\n") break;
      const column = this.#at - this.#lineStart;
      if ((char === "-" || char === "?" || char === ":") && this.#isBlankAt(this.#at + 1)) {
        parent = column;
        this.#at++;
      } else if (char === "#" && (column === 0 || this.#isBlankAt(this.#at - 1))) {
        this.#skipLine();
        break;
      } else if (char === "[" || char === "{") {
        this.#flow(column);
      } else if (char === '"' || char === "'") {
        this.#quoted(char, column);
      } else if (char === "&" || char === "!" || char === "*") {
        this.#skipWord();
      } else if ((char === "|" || char === ">") && /^[|>][-+0-9]*[ \t]*(?:#.*)?(?:\n|$)/.test(this.#restOfLine())) {
        this.#blockScalar(parent);
        return;
      } else {
        parent = this.#plain(column, parent);
      }
      this.#skipBlanks();
    }
    this.#at++;
  }

  /** A plain text up to the end of its line, or to the colon that makes it a key: then what follows belongs to its column. */
  #plain(column: number, parent: number): number {
    for (; this.#at < this.#text.length && this.#text[this.#at] !== "\n"; this.#at++) {
      const char = this.#text[this.#at];
      if (char === ":" && this.#isBlankAt(this.#at + 1)) {
        this.#at++;
        return column;
      }
      if (char === "#" && this.#isBlankAt(this.#at - 1)) {
        this.#skipLine();
        break;
      }
    }
    return parent;
  }

  /** Everything up to the closing bracket; lines in it are moved to the column of the opening one, or left where they are if further right. */
  #flow(column: number): void {
    let depth = 0;
    while (this.#at < this.#text.length) {
      const char = this.#text[this.#at] as string;
      if (char === '"' || char === "'") {
        this.#quoted(char, column);
        continue;
      }
      if (char === "#" && this.#isBlankAt(this.#at - 1)) {
        this.#skipLine();
        continue;
      }
      this.#at++;
      if (char === "[" || char === "{") depth++;
      else if ((char === "]" || char === "}") && --depth === 0) return;
      else if (char === "\n") this.#padLine(column + 1);
    }
  }

  #padLine(column: number): void {
    this.#lineStart = this.#at;
    let end = this.#at;
    while (this.#text[end] === " ") end++;
    const missing = column - (end - this.#at);
    if (missing <= 0 || this.#text[end] === "\n") return;
    this.#output += this.#text.slice(this.#copied, this.#at) + " ".repeat(missing);
    this.#copied = this.#at;
  }

  /** A quoted text begins after something that cannot be part of a plain one; an apostrophe in a word is passed by the others. */
  #quoted(quote: string, column: number): void {
    this.#at++;
    while (this.#at < this.#text.length) {
      const char = this.#text[this.#at++];
      if (char === "\\" && quote === '"' && this.#text[this.#at] !== "\n") this.#at++;
      else if (char === "\n") this.#padLine(column + 1);
      else if (char === quote) {
        if (quote === '"' || this.#text[this.#at] !== "'") return;
        this.#at++;
      }
    }
  }

  /** Past the lines of a literal or folded text: those that are empty or further right than what the text belongs to. */
  #blockScalar(parent: number): void {
    this.#skipLine();
    this.#at++;
    while (this.#at < this.#text.length) {
      const line = this.#restOfLine();
      const indent = line.length - line.trimStart().length;
      if (line.trim() !== "" && indent <= parent) return;
      this.#at += line.length + 1;
    }
  }

  #restOfLine(): string {
    const end = this.#text.indexOf("\n", this.#at);
    return this.#text.slice(this.#at, end < 0 ? this.#text.length : end);
  }

  #isBlankAt(at: number): boolean {
    const char = this.#text[at];
    return char === undefined || char === " " || char === "\t" || char === "\n" || char === "\r";
  }

  #skipBlanks(): void {
    while (this.#text[this.#at] === " " || this.#text[this.#at] === "\t") this.#at++;
  }

  #skipWord(): void {
    while (!this.#isBlankAt(this.#at)) this.#at++;
  }

  #skipLine(): void {
    const end = this.#text.indexOf("\n", this.#at);
    this.#at = end < 0 ? this.#text.length : end;
  }
}
