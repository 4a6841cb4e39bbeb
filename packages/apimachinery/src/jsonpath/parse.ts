import { append } from "../append/index.js";
import { parseInt64 } from "../int-or-string/int64.js";
import { trimOf } from "../text/trim.js";
import { GoFloat, JsonPathError, type Node, type Slice } from "./node.js";
import { quoteRune } from "./quote-rune.js";
import { unquote } from "./unquote.js";

/** Text and paths in braces, in order. @throws JsonPathError */
export function parseTemplate(text: string): Node[] {
  return new TemplateParser(text).parse();
}

const isTerminator = (char: string): boolean => char === "" || " \t\r\n.,[]$@{}".includes(char);
const isAlphaNumeric = (char: string): boolean => /^[\p{L}\p{Nd}_]$/u.test(char);
const isDigit = (char: string): boolean => /^\p{Nd}$/u.test(char);

/** The sides of a comparison; undefined where there is none. Of operator signs that end the text the last is the right side. */
function splitFilter(text: string): { left: string; operator: string; right: string } | undefined {
  const [signs, left = "", operator = ""] = /^([^!<>=]+)([!<>=]+)/.exec(text) ?? [];
  if (signs === undefined) return undefined;
  const right = text.slice(signs.length);
  if (right.includes("\n")) return undefined;
  if (right !== "") return { left, operator, right };
  return operator.length === 1 ? undefined : { left, operator: operator.slice(0, -1), right: operator.slice(-1) };
}

/** The nodes of one path given without its braces. A brace inside ends it, as it does upstream. */
function parsePath(text: string): readonly Node[] {
  const [first] = parseTemplate(`{${text}}`);
  return first?.kind === "list" ? first.nodes : [];
}

class TemplateParser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  parse(): Node[] {
    const nodes: Node[] = [];
    while (this.#at < this.#text.length) {
      const brace = this.#text.indexOf("{", this.#at);
      const end = brace < 0 ? this.#text.length : brace;
      if (end > this.#at) nodes.push({ kind: "text", text: this.#text.slice(this.#at, end) });
      this.#at = end;
      if (brace >= 0) nodes.push({ kind: "list", nodes: this.#action() });
    }
    return nodes;
  }

  /** The character here and on, or the empty string at the end. */
  #next(): string {
    const code = this.#text.codePointAt(this.#at);
    if (code === undefined) return "";
    const char = String.fromCodePoint(code);
    this.#at += char.length;
    return char;
  }

  #startsWith(prefix: string): boolean {
    return this.#text.startsWith(prefix, this.#at);
  }

  /** What stands between braces. */
  #action(): Node[] {
    const nodes: Node[] = [];
    this.#at++;
    for (;;) {
      if (this.#startsWith("}")) {
        this.#at++;
        return nodes;
      }
      if (this.#startsWith("[?(")) nodes.push(this.#filter());
      else if (this.#startsWith("..")) this.#recursive(nodes);
      else this.#step(nodes);
    }
  }

  #step(nodes: Node[]): void {
    const start = this.#at;
    const char = this.#next();
    if (char === "" || char === "\r" || char === "\n") throw new JsonPathError("unclosed action");
    // The current object and the root are where every path begins anyway.
    if (char === " " || char === "@" || char === "$") return;
    if (char === "[") append(nodes, this.#brackets(start));
    else if (char === '"' || char === "'") nodes.push(this.#quoted(start, char));
    else if (char === ".") nodes.push(this.#field());
    else if (char === "+" || char === "-" || isDigit(char)) nodes.push(this.#number(start));
    else if (isAlphaNumeric(char)) nodes.push(this.#identifier(start));
    else throw new JsonPathError(`unrecognized character in action: ${quoteRune(char)}`);
  }

  #recursive(nodes: Node[]): void {
    if (nodes.at(-1)?.kind === "recursive") throw new JsonPathError("invalid multiple recursive descent");
    this.#at += 2;
    nodes.push({ kind: "recursive" });
    if (isAlphaNumeric(this.#text.charAt(this.#at))) nodes.push(this.#field());
  }

  /** A name up to a terminator; a backslash takes a terminator into it. */
  #field(): Node {
    const start = this.#at;
    for (;;) {
      const before = this.#at;
      const char = this.#next();
      if (char === "\\") this.#next();
      else if (isTerminator(char)) {
        this.#at = before;
        break;
      }
    }
    const name = this.#text.slice(start, this.#at);
    return name === "*" ? { kind: "wildcard" } : { kind: "field", name: name.replaceAll("\\", "") };
  }

  #identifier(start: number): Node {
    while (!isTerminator(this.#text.charAt(this.#at))) this.#at++;
    const name = this.#text.slice(start, this.#at);
    return name === "true" || name === "false"
      ? { kind: "literal", value: name === "true" }
      : { kind: "identifier", name };
  }

  #number(start: number): Node {
    for (;;) {
      const before = this.#at;
      const char = this.#next();
      if (char !== "." && !isDigit(char)) {
        this.#at = before;
        break;
      }
    }
    const text = this.#text.slice(start, this.#at);
    const whole = parseInt64(text);
    if (whole !== undefined) return { kind: "literal", value: whole };
    if (!/^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)$/.test(text)) throw new JsonPathError(`cannot parse number ${text}`);
    return { kind: "literal", value: new GoFloat(Number(text)) };
  }

  #quoted(start: number, quote: string): Node {
    for (;;) {
      const char = this.#next();
      if (char === "" || char === "\n") throw new JsonPathError("unterminated quoted string");
      if (char === quote && this.#text.charAt(this.#at - 2) !== "\\") break;
    }
    const quoted = this.#text.slice(start, this.#at);
    const text = unquote(quoted);
    if (text === undefined) throw new JsonPathError(`unquote string ${quoted} error invalid syntax`);
    return { kind: "text", text };
  }

  #brackets(start: number): readonly Node[] {
    const close = /[\]\n]/g;
    close.lastIndex = this.#at;
    if (close.exec(this.#text)?.[0] !== "]") throw new JsonPathError("unterminated array");
    this.#at = close.lastIndex;
    const inner = this.#text.slice(start + 1, this.#at - 1);
    const members = inner.split(",");
    if (members.length > 1)
      return [{ kind: "union", members: members.map((member) => parsePath(`[${trimOf(member, " ")}]`)) }];
    const [, key] = /^'([^']*)'$/.exec(inner) ?? [];
    // A key is read as a field: a dot in it must be escaped even here.
    if (key !== undefined) return parsePath(`.${key}`);
    return [{ kind: "slice", slice: parseSlice(inner === "*" ? ":" : inner) }];
  }

  #filter(): Node {
    this.#at += 3;
    const start = this.#at;
    this.#endOfFilter();
    const inner = this.#text.slice(start, this.#at - 1);
    if (this.#next() !== "]") throw new JsonPathError("unclosed array expect ]");
    const { left, operator, right } = splitFilter(inner) ?? { left: inner, operator: "exists", right: undefined };
    return {
      kind: "filter",
      left: parsePath(left),
      operator,
      right: right === undefined ? [] : parsePath(right),
    };
  }

  /** Moves behind the closing parenthesis; one within quotes does not count. Only the first pair of quotes is seen. */
  #endOfFilter(): void {
    let quote = "";
    let closed = false;
    for (;;) {
      const char = this.#next();
      if (char === "" || char === "\n") throw new JsonPathError("unterminated filter");
      if (char === '"' || char === "'") {
        if (quote === "") quote = char;
        else if (char === quote && this.#text.charAt(this.#at - 2) !== "\\") closed = true;
      } else if (char === ")" && (quote !== "") === closed) return;
    }
  }
}

function parseSlice(text: string): Slice {
  const [whole, start = "", end, step] = /^(-?[0-9]*)(:-?[0-9]*)?(:-?[0-9]*)?$/.exec(text) ?? [];
  if (whole === undefined) throw new JsonPathError(`invalid array index ${text}`);
  const first = bound(start);
  // `[3]` alone ends right after it begins, and `[]` is `[0]`.
  if (end === undefined)
    return { start: first, end: (first ?? 0) + 1, step: bound(step?.slice(1) ?? ""), single: true };
  return { start: first, end: bound(end.slice(1)), step: bound(step?.slice(1) ?? ""), single: false };
}

function bound(text: string): number | undefined {
  if (text === "") return undefined;
  const value = parseInt64(text);
  if (value === undefined) throw new JsonPathError(`array index ${text} is not a number`);
  return Number(value);
}
