import { TemplateError } from "./syntax.js";

/** A piece of a template: text, or one token inside an action. */
export type Token =
  | { readonly kind: "text"; readonly text: string; readonly line: number }
  | { readonly kind: "open" | "close"; readonly line: number }
  | {
      readonly kind: "word" | "variable" | "field";
      readonly text: string;
      readonly line: number;
      readonly glued: boolean;
    }
  | { readonly kind: "literal"; readonly value: string | number | boolean; readonly line: number }
  | { readonly kind: "sign"; readonly text: string; readonly line: number; readonly glued: boolean };

const wordStart = /[A-Za-z_]/;
const wordPart = /[A-Za-z0-9_]/;
const digit = /[0-9]/;
const space = /\s/;

/** Splits a template. `glued`: nothing stands between this token and the one before, as in `(x).y`. @throws TemplateError */
export const tokenize = (source: string): Token[] => new Tokenizer(source).all();

class Tokenizer {
  readonly #source: string;
  readonly #tokens: Token[] = [];
  #at = 0;
  #line = 1;

  constructor(source: string) {
    this.#source = source;
  }

  all(): Token[] {
    let trimsLeft = false;
    while (this.#readText(trimsLeft)) trimsLeft = this.#readAction();
    return this.#tokens;
  }

  #count(text: string): void {
    for (const character of text) if (character === "\n") this.#line++;
  }

  #readText(trimsLeft: boolean): boolean {
    const end = this.#source.indexOf("{{", this.#at);
    let text = end < 0 ? this.#source.slice(this.#at) : this.#source.slice(this.#at, end);
    const raw = text;
    if (trimsLeft) text = text.trimStart();
    const trimsRight = end >= 0 && this.#source[end + 2] === "-" && space.test(this.#source[end + 3] ?? "");
    if (trimsRight) text = text.trimEnd();
    if (text !== "") this.#tokens.push({ kind: "text", text, line: this.#line });
    this.#count(raw);
    if (end < 0) return false;
    this.#at = end + (trimsRight ? 3 : 2);
    return true;
  }

  #quoted(quote: string): string {
    let text = "";
    for (this.#at++; ; this.#at++) {
      const character = this.#source[this.#at];
      if (character === undefined || character === "\n")
        throw new TemplateError(this.#line, "unterminated quoted string");
      if (character === quote) break;
      text += character;
      if (character === "\\") text += this.#source[++this.#at] ?? "";
    }
    this.#at++;
    try {
      return JSON.parse(`"${text}"`) as string;
    } catch {
      throw new TemplateError(this.#line, `the quoted string "${text}" has an escape that is not supported`);
    }
  }

  #raw(): string {
    const end = this.#source.indexOf("`", this.#at + 1);
    if (end < 0) throw new TemplateError(this.#line, "unterminated raw quoted string");
    const text = this.#source.slice(this.#at + 1, end);
    this.#count(text);
    this.#at = end + 1;
    return text;
  }

  #word(): string {
    const from = this.#at;
    while (wordPart.test(this.#source[this.#at] ?? "")) this.#at++;
    return this.#source.slice(from, this.#at);
  }

  #number(): number {
    const from = this.#at;
    if (this.#source[this.#at] === "-" || this.#source[this.#at] === "+") this.#at++;
    while (/[0-9a-zA-Z_.]/.test(this.#source[this.#at] ?? "")) this.#at++;
    const text = this.#source.slice(from, this.#at).replaceAll("_", "");
    const value = Number(text);
    if (Number.isNaN(value)) throw new TemplateError(this.#line, `bad number syntax: "${text}"`);
    return value;
  }

  /** The tokens of one action, up to its end. Returns whether the text behind it loses its leading space. */
  #readAction(): boolean {
    this.#tokens.push({ kind: "open", line: this.#line });
    for (let glued = false; ; ) {
      const character = this.#source[this.#at];
      const next = this.#source[this.#at + 1] ?? "";
      if (character === undefined) throw new TemplateError(this.#line, "unclosed action");
      if (space.test(character)) {
        if (next === "-" && this.#source.startsWith("}}", this.#at + 2)) {
          this.#tokens.push({ kind: "close", line: this.#line });
          this.#at += 4;
          return true;
        }
        this.#count(character);
        this.#at++;
        glued = false;
        continue;
      }
      if (this.#source.startsWith("}}", this.#at)) {
        this.#tokens.push({ kind: "close", line: this.#line });
        this.#at += 2;
        return false;
      }
      if (this.#source.startsWith("/*", this.#at)) {
        const end = this.#source.indexOf("*/", this.#at);
        if (end < 0) throw new TemplateError(this.#line, "unclosed comment");
        this.#count(this.#source.slice(this.#at, end));
        this.#at = end + 2;
      } else if (character === '"') this.#tokens.push({ kind: "literal", value: this.#quoted('"'), line: this.#line });
      else if (character === "`") this.#tokens.push({ kind: "literal", value: this.#raw(), line: this.#line });
      else if (character === "$") {
        this.#at++;
        this.#tokens.push({ kind: "variable", text: `$${this.#word()}`, line: this.#line, glued });
      } else if (character === "." && wordStart.test(next)) {
        this.#at++;
        this.#tokens.push({ kind: "field", text: this.#word(), line: this.#line, glued });
      } else if (digit.test(character) || ((character === "-" || character === "+") && digit.test(next)))
        this.#tokens.push({ kind: "literal", value: this.#number(), line: this.#line });
      else if (wordStart.test(character))
        this.#tokens.push({ kind: "word", text: this.#word(), line: this.#line, glued });
      else if (this.#source.startsWith(":=", this.#at)) {
        this.#at += 2;
        this.#tokens.push({ kind: "sign", text: ":=", line: this.#line, glued });
      } else if ("().|,=".includes(character)) {
        this.#at++;
        this.#tokens.push({ kind: "sign", text: character, line: this.#line, glued });
      } else throw new TemplateError(this.#line, `unexpected character ${JSON.stringify(character)} in an action`);
      glued = true;
    }
  }
}
