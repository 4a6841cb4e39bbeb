import { SourceError, type SourceText } from "./source-place.js";

export type TokenKind = "name" | "string" | "number" | "punctuation" | "template" | "regexp" | "end";

export interface Token {
  readonly kind: TokenKind;
  /** As written; of a string its value. */
  readonly text: string;
  readonly offset: number;
  /** Whether it is the first token of its line. */
  readonly startsLine: boolean;
  /** The JSDoc comment that stands directly before it: its inner text, and where that begins. */
  readonly doc: DocComment | undefined;
}

export interface DocComment {
  /** Without the comment's marks and without the leading star of each line. */
  readonly text: string;
  /** Offset of the comment in its file. */
  readonly offset: number;
}

const nameStart = /[\p{ID_Start}$_#@]/u;
const namePart = /[\p{ID_Continue}$\u200c\u200d]/u;
/** Longer ones first: `=>` ends a parameter list, `...` a rest element, and neither is two tokens. */
const punctuators = ["=>", "...", "?.", "**"];
/** After one of these a slash begins a regular expression; after a value it divides. */
const beforeRegExp = /^(?:return|typeof|case|in|of|do|else|void|delete|throw|new|await|yield)$/;

/**
 * Splits a TypeScript file into tokens: enough of the language to read its type declarations and to step over everything
 * else. Every token is found in one pass, so that the time is linear in the size of the file.
 */
export function scan(source: SourceText): Token[] {
  const { text } = source;
  const tokens: Token[] = [];
  let offset = 0;
  let startsLine = true;
  let doc: DocComment | undefined;
  const push = (kind: TokenKind, value: string, end: number): void => {
    tokens.push({ kind, text: value, offset, startsLine, doc });
    offset = end;
    startsLine = false;
    doc = undefined;
  };
  while (offset < text.length) {
    const char = text[offset]!;
    if (char === "\n") {
      startsLine = true;
      offset += 1;
    } else if (/\s/.test(char) || char === "\ufeff") offset += 1;
    else if (text.startsWith("//", offset) || (offset === 0 && text.startsWith("#!"))) offset = endOfLine(text, offset);
    else if (text.startsWith("/*", offset)) {
      const end = text.indexOf("*/", offset + 2);
      if (end < 0) throw new SourceError({ source, offset }, "this comment has no end");
      if (text.startsWith("/**", offset) && end > offset + 2)
        doc = { text: docText(text.slice(offset + 3, end)), offset };
      if (text.slice(offset, end).includes("\n")) startsLine = true;
      offset = end + 2;
    } else if (char === '"' || char === "'") {
      const end = endOfString(source, offset);
      push("string", unescape(text.slice(offset + 1, end - 1)), end);
    } else if (char === "`") {
      const end = endOfTemplate(source, offset);
      push("template", text.slice(offset, end), end);
    } else if (/[0-9]/.test(char)) {
      let end = offset + 1;
      while (end < text.length && /[0-9a-zA-Z_.]/.test(text[end]!)) end += 1;
      push("number", text.slice(offset, end), end);
    } else if (nameStart.test(char)) {
      let end = offset + 1;
      while (end < text.length && namePart.test(text[end]!)) end += 1;
      push("name", text.slice(offset, end), end);
    } else if (char === "/" && canBeginRegExp(tokens.at(-1))) push("regexp", char, endOfRegExp(text, offset));
    else {
      const punctuator = punctuators.find((candidate) => text.startsWith(candidate, offset)) ?? char;
      push("punctuation", punctuator, offset + punctuator.length);
    }
  }
  tokens.push({ kind: "end", text: "", offset, startsLine: true, doc });
  return tokens;
}

function endOfLine(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  return end < 0 ? text.length : end;
}

function endOfString(source: SourceText, offset: number): number {
  const { text } = source;
  const quote = text[offset];
  for (let at = offset + 1; at < text.length && text[at] !== "\n"; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === quote) return at + 1;
  }
  throw new SourceError({ source, offset }, "this text has no end");
}

function endOfTemplate(source: SourceText, offset: number): number {
  const { text } = source;
  // Depth of braces inside each open `${`; a backtick inside one opens a template of its own.
  const open: ("template" | "braces")[] = ["template"];
  let at = offset + 1;
  for (; at < text.length && open.length > 0; at += 1) {
    const char = text[at];
    if (char === "\\") at += 1;
    else if (open.at(-1) === "template") {
      if (char === "`") open.pop();
      else if (char === "$" && text[at + 1] === "{") {
        open.push("braces");
        at += 1;
      }
    } else if (char === "`") open.push("template");
    else if (char === "{") open.push("braces");
    else if (char === "}") open.pop();
  }
  if (open.length > 0) throw new SourceError({ source, offset }, "this template has no end");
  return at;
}

function canBeginRegExp(previous: Token | undefined): boolean {
  if (previous === undefined) return true;
  if (previous.kind === "name") return beforeRegExp.test(previous.text);
  return previous.kind === "punctuation" && ![")", "]", "}"].includes(previous.text);
}

function endOfRegExp(text: string, offset: number): number {
  let inClass = false;
  for (let at = offset + 1; at < text.length && text[at] !== "\n"; at += 1) {
    const char = text[at];
    if (char === "\\") at += 1;
    else if (char === "[") inClass = true;
    else if (char === "]") inClass = false;
    else if (char === "/" && !inClass) return at + 1;
  }
  return offset + 1;
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", v: "\v", "0": "\0" };

function unescape(text: string): string {
  return text.replace(/\\(u\{[0-9a-fA-F]{1,6}\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[^])/g, (_, escape: string) => {
    if (escape.startsWith("u") && escape.length > 1)
      return String.fromCodePoint(Number.parseInt(escape.replace(/[u{}]/g, ""), 16));
    if (escape.startsWith("x") && escape.length > 1) return String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    return escapes[escape] ?? escape;
  });
}

function docText(inner: string): string {
  const lines = inner.split("\n").map((line, index) => (index === 0 ? line.trim() : withoutStar(line)));
  // What would end the comment is written with a backslash in it: in patterns, for instance.
  return lines.join("\n").trim().replaceAll("*\\/", "*/");
}

function withoutStar(line: string): string {
  const trimmed = line.trim();
  if (!trimmed.startsWith("*")) return trimmed;
  return trimmed.startsWith("* ") ? trimmed.slice(2) : trimmed.slice(1);
}
