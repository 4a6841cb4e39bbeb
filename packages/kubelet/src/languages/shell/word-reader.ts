import { append } from "@coxswain/apimachinery/append";
import { type Redirect, type ShellNode, ShellSyntaxError, type Word, type WordPart } from "./syntax.js";

const ends = new Set([" ", "\t", "\n", ";", "&", "|", "(", ")", "<", ">"]);
const isNameStart = (char: string): boolean =>
  (char >= "a" && char <= "z") || (char >= "A" && char <= "Z") || char === "_";
const isDigit = (char: string): boolean => char >= "0" && char <= "9";
const isName = (char: string): boolean => isNameStart(char) || isDigit(char);
const specials = "?#$!@*-";

/** A script nested deeper than this is refused; nobody writes one, and it must not exhaust the stack. */
const maxDepth = 50;

/** Reads words, expansions and redirections of a script, character by character; the grammar above it is the parser's. */
export abstract class WordReader {
  readonly #text: string;
  #at = 0;
  /** Bodies of here-documents are read at the end of their line. */
  readonly #awaited: { delimiter: string; strip: boolean; fill(body: Word): void }[] = [];

  #depth = 0;

  /** @param count is called for each part of the script */
  constructor(text: string, count: () => void) {
    this.#text = text;
    this.count = count;
  }

  protected readonly count: () => void;

  /** One level deeper, until `leave`. */
  protected enter(): void {
    if (++this.#depth > maxDepth) throw new ShellSyntaxError("nested too deeply");
  }

  protected leave(): void {
    this.#depth--;
  }

  /** What is inside `$(…)`, up to and with the closing parenthesis. */
  protected abstract parseCommand(): ShellNode;

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  peek(text: string): boolean {
    return this.#text.startsWith(text, this.#at);
  }

  take(count: number): void {
    this.#at += count;
  }

  expect(text: string): void {
    this.skipLines();
    if (!this.peek(text)) throw this.unexpected(text);
    this.take(text.length);
  }

  unexpected(wanted?: string): ShellSyntaxError {
    const near = this.isAtEnd ? "end of file" : JSON.stringify(this.#text.slice(this.#at, this.#at + 10));
    return new ShellSyntaxError(
      `syntax error: unexpected ${near}${wanted === undefined ? "" : ` (expecting "${wanted}")`}`,
      this.isAtEnd || wanted === "'",
    );
  }

  /** Spaces, continued lines and comments. */
  skipSpace(): void {
    for (;;) {
      if (this.peek(" ") || this.peek("\t") || this.peek("\r")) this.take(1);
      else if (this.peek("\\\n")) this.take(2);
      else if (this.peek("#")) {
        const end = this.#text.indexOf("\n", this.#at);
        this.#at = end < 0 ? this.#text.length : end;
      } else return;
    }
  }

  skipLines(): void {
    for (;;) {
      this.skipSpace();
      if (!this.peek("\n")) return;
      this.take(1);
      this.#readHereDocuments();
    }
  }

  /** The plain word that comes next, or "". */
  peekWord(): string {
    this.skipSpace();
    let end = this.#at;
    while (end < this.#text.length && !ends.has(this.#text.charAt(end))) {
      if ("'\"\\$`".includes(this.#text.charAt(end))) return "";
      end++;
    }
    return this.#text.slice(this.#at, end);
  }

  followedByParentheses(name: string): boolean {
    return this.#text.startsWith("()", this.#at + name.length) || this.#text.startsWith(" ()", this.#at + name.length);
  }

  /** `NAME=`, consumed; undefined where there is none. */
  assignment(): string | undefined {
    this.skipSpace();
    let end = this.#at;
    if (!isNameStart(this.#text.charAt(end))) return undefined;
    while (isName(this.#text.charAt(end))) end++;
    if (this.#text.charAt(end) !== "=") return undefined;
    const name = this.#text.slice(this.#at, end);
    this.#at = end + 1;
    return name;
  }

  redirect(): Redirect | undefined {
    this.skipSpace();
    const start = this.#at;
    let from: number | undefined;
    const next = this.#text.charAt(this.#at + 1);
    if (isDigit(this.#text.charAt(this.#at)) && (next === ">" || next === "<")) {
      from = Number(this.#text.charAt(this.#at));
      this.take(1);
    } else if (this.peek("&>")) {
      this.take(1);
    }
    const operator = (["<<<", "<<", ">>", ">&", ">", "<"] as const).find((each) => this.peek(each));
    if (!operator) {
      this.#at = start;
      return undefined;
    }
    this.take(operator.length);
    if (operator === "<<") return this.#hereDocument();
    const target = this.word();
    if (!target) throw this.unexpected();
    return { from: from ?? (operator.startsWith("<") ? 0 : 1), operator, target };
  }

  #hereDocument(): Redirect {
    const strip = this.peek("-");
    if (strip) this.take(1);
    const word = this.word() ?? [];
    const delimiter = word.map((part) => (part.kind === "text" ? part.text : "")).join("");
    const target: WordPart[] = [];
    this.#awaited.push({ delimiter, strip, fill: (body) => void append(target, body) });
    return { from: 0, operator: "<<", target };
  }

  /** Variables in here-documents are not expanded: scripts in pod specs hardly use them. */
  #readHereDocuments(): void {
    for (const { delimiter, strip, fill } of this.#awaited.splice(0)) {
      const lines: string[] = [];
      while (!this.isAtEnd) {
        const end = this.#text.indexOf("\n", this.#at);
        const line = this.#text.slice(this.#at, end < 0 ? undefined : end);
        this.#at = end < 0 ? this.#text.length : end + 1;
        if ((strip ? line.trimStart() : line) === delimiter) break;
        lines.push(`${strip ? line.trimStart() : line}\n`);
      }
      fill([{ kind: "text", text: lines.join(""), quoted: true }]);
    }
  }

  /** The next word, or undefined at the end of a command. */
  word(): Word | undefined {
    this.skipSpace();
    if (this.isAtEnd || ends.has(this.#text.charAt(this.#at))) return undefined;
    return this.wordHere();
  }

  /** The word that begins right here; it may be empty. */
  wordHere(isEnd: (char: string) => boolean = (char) => ends.has(char)): Word {
    const parts: WordPart[] = [];
    let text = "";
    const flush = (): void => {
      if (text !== "") parts.push({ kind: "text", text, quoted: false });
      text = "";
    };
    this.count();
    while (!this.isAtEnd) {
      const char = this.#text.charAt(this.#at);
      if (isEnd(char)) break;
      if (char === "\\") {
        this.count();
        flush();
        parts.push({ kind: "text", text: this.#text.charAt(this.#at + 1), quoted: true });
        this.take(2);
      } else if (char === "'") {
        flush();
        this.count();
        const end = this.#text.indexOf("'", this.#at + 1);
        if (end < 0) throw this.unexpected("'");
        parts.push({ kind: "text", text: this.#text.slice(this.#at + 1, end), quoted: true });
        this.#at = end + 1;
      } else if (char === '"') {
        flush();
        this.#doubleQuoted(parts);
      } else if (char === "`") {
        throw new ShellSyntaxError("back quotes are not supported");
      } else if (char === "$") {
        const part = this.#expansion(false);
        if (part) {
          flush();
          parts.push(part);
        } else text += "$";
      } else {
        text += char;
        this.take(1);
      }
    }
    flush();
    return parts;
  }

  #doubleQuoted(parts: WordPart[]): void {
    this.take(1);
    this.count();
    let text = "";
    const flush = (): void => {
      parts.push({ kind: "text", text, quoted: true });
      text = "";
    };
    for (;;) {
      if (this.isAtEnd) throw this.unexpected('"');
      const char = this.#text.charAt(this.#at);
      if (char === '"') break;
      if (char === "\\") {
        const next = this.#text.charAt(this.#at + 1);
        text += '$`"\\'.includes(next) ? next : next === "\n" ? "" : `\\${next}`;
        this.take(2);
      } else if (char === "$") {
        const part = this.#expansion(true);
        if (part) {
          flush();
          parts.push(part);
        } else text += "$";
      } else if (char === "`") {
        throw new ShellSyntaxError("back quotes are not supported");
      } else {
        text += char;
        this.take(1);
      }
    }
    this.take(1);
    flush();
  }

  /** What a dollar sign begins; undefined where it stands for itself. */
  #expansion(quoted: boolean): WordPart | undefined {
    this.count();
    this.enter();
    const part = this.#expansionHere(quoted);
    this.leave();
    return part;
  }

  #expansionHere(quoted: boolean): WordPart | undefined {
    this.take(1);
    if (this.peek("((")) return this.#arithmetic(quoted);
    if (this.peek("(")) {
      this.take(1);
      return { kind: "command", body: this.parseCommand(), quoted };
    }
    if (this.peek("{")) return this.#braced(quoted);
    const char = this.#text.charAt(this.#at);
    if (isDigit(char) || (char !== "" && specials.includes(char))) {
      this.take(1);
      return { kind: "variable", name: char, quoted };
    }
    const name = this.#name();
    return name === "" ? undefined : { kind: "variable", name, quoted };
  }

  #arithmetic(quoted: boolean): WordPart {
    this.take(2);
    let depth = 0;
    const expression = this.wordHere((char) => {
      if (char === "(") depth++;
      else if (char === ")") depth--;
      return depth < 0;
    });
    if (!this.peek("))")) throw this.unexpected("))");
    this.take(2);
    return { kind: "arithmetic", expression, quoted };
  }

  #name(): string {
    const start = this.#at;
    if (isNameStart(this.#text.charAt(this.#at))) while (isName(this.#text.charAt(this.#at))) this.take(1);
    return this.#text.slice(start, this.#at);
  }

  #braced(quoted: boolean): WordPart {
    this.take(1);
    const isLength = this.peek("#") && !this.peek("#}");
    if (isLength) this.take(1);
    const char = this.#text.charAt(this.#at);
    let name = this.#name();
    if (name === "") {
      name = char;
      this.take(1);
    }
    if (isLength) {
      this.expect("}");
      return { kind: "variable", name, quoted, operator: "#" };
    }
    if (this.peek("}")) {
      this.take(1);
      return { kind: "variable", name, quoted };
    }
    const operator = [":-", ":=", ":+", ":?", "-", "=", "+", "?", "##", "#", "%%", "%"].find((each) => this.peek(each));
    if (!operator) throw this.unexpected("}");
    this.take(operator.length);
    const word = this.wordHere((end) => end === "}");
    this.expect("}");
    return { kind: "variable", name, quoted, operator: operator === "#" ? "strip#" : operator, word };
  }
}
