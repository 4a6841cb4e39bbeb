import { parseIp } from "../validation/ip-address.js";

/**
 * Whether Go's net/mail reads the text as one address: `a@b.example`, `"A" <a@b.example>`, or a group of one.
 * Caveat: names in a character set that Go cannot decode are taken as they stand.
 */
export const isMailAddress = (text: string): boolean => new AddressReader(text).isSingle();

/** Visible characters but for specials; what is not ASCII is visible. */
const atom = /(?:[!#-'*+\-./0-9=?A-Z^-~]|[^\u0000-\u007f])+/y;
const quoted = /"((?:[!#-[\]-~ \t]|[^\u0000-\u007f]|\\(?:[!-~ \t]|[^\u0000-\u007f]))*)"/y;
const literal = /\[((?:[!-Z^-~]|[^\u0000-\u007f])*)\]/y;
const spaces = /[ \t]*/y;

class AddressReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  isSingle(): boolean {
    return this.#address(true) === 1 && this.#comments() && this.#at === this.#text.length;
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (!match) return undefined;
    this.#at = pattern.lastIndex;
    return match[1] ?? match[0];
  }

  #takes(char: string): boolean {
    if (this.#text[this.#at] !== char) return false;
    this.#at++;
    return true;
  }

  /** How many addresses were read; undefined where there is none. */
  #address(mayBeGroup: boolean): number | undefined {
    this.#take(spaces);
    if (this.#spec()) {
      this.#take(spaces);
      return this.#text[this.#at] === "(" && !this.#comment() ? undefined : 1;
    }
    if (this.#text[this.#at] !== "<" && !this.#phrase()) return undefined;
    this.#take(spaces);
    if (mayBeGroup && this.#takes(":")) return this.#group();
    return this.#takes("<") && this.#spec() && this.#takes(">") ? 1 : undefined;
  }

  #group(): number | undefined {
    let count = 0;
    this.#take(spaces);
    if (this.#takes(";")) return this.#comments() ? 0 : undefined;
    for (;;) {
      const read = this.#address(false);
      if (read === undefined || !this.#comments()) return undefined;
      count += read;
      if (this.#takes(";")) return this.#comments() ? count : undefined;
      if (!this.#takes(",")) return undefined;
    }
  }

  /** `local@domain`; where it is none, nothing is taken. */
  #spec(): boolean {
    const start = this.#at;
    this.#take(spaces);
    const local = this.#text[this.#at] === '"' ? this.#take(quoted) : this.#dottedAtom();
    if (local !== undefined && local !== "" && this.#takes("@")) {
      this.#take(spaces);
      if (this.#text[this.#at] === "[" ? parseIp(this.#take(literal) ?? "")?.strict : this.#dottedAtom() !== undefined)
        return true;
    }
    this.#at = start;
    return false;
  }

  #dottedAtom(): string | undefined {
    const text = this.#take(atom);
    return text === undefined || /^\.|\.\.|\.$/.test(text) ? undefined : text;
  }

  /** Words of a name, with comments between them. */
  #phrase(): boolean {
    for (let count = 0; ; count++) {
      if (count > 0 && !this.#comments()) return false;
      this.#take(spaces);
      if (this.#at === this.#text.length) return true;
      const word = this.#text[this.#at] === '"' ? this.#take(quoted) : this.#take(atom);
      if (word === undefined) return count > 0;
    }
  }

  #comments(): boolean {
    this.#take(spaces);
    while (this.#text[this.#at] === "(") {
      if (!this.#comment()) return false;
      this.#take(spaces);
    }
    return true;
  }

  /** Comments nest. */
  #comment(): boolean {
    let depth = 0;
    do {
      const char = this.#text[this.#at];
      if (char === undefined) return false;
      if (char === "\\" && this.#at + 1 < this.#text.length) this.#at++;
      else if (char === "(") depth++;
      else if (char === ")") depth--;
      this.#at++;
    } while (depth > 0);
    return true;
  }
}
