/** A string with its quotes, a mark, or a word (a number, true, false, null). */
const token = /"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^\s"{}[\],:]+/g;

/** JSON for people: indented by two blanks, as Go does it. Nothing is read but the marks, so members stay in their order and numbers as they are. */
export const indentJson = (text: string): string => new JsonIndenter().feed(text);

/** The same of a text that comes in pieces. A piece ends between two tokens. */
export class JsonIndenter {
  #indent = "\n";
  #opened = false;

  feed(text: string): string {
    let out = "";
    for (const [word] of text.matchAll(token)) {
      const closes = word === "}" || word === "]";
      if (closes) this.#indent = this.#indent.slice(0, -2);
      // What is empty stays on its line. Nothing was opened before the first token.
      if (this.#opened !== closes) out += this.#indent;
      this.#opened = word === "{" || word === "[";
      if (this.#opened) this.#indent += "  ";
      out += word === ":" ? ": " : word === "," ? `,${this.#indent}` : word;
    }
    return out;
  }
}
