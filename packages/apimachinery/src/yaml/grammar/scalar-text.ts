import * as char from "./characters.js";

/** How a block scalar treats the line breaks at its end (YAML 1.2.2, 8.1.1.2). */
export type Chomping = "clip" | "strip" | "keep";

const simpleEscapes = new Map([
  ["0", "\0"],
  ["a", "\x07"],
  ["b", "\b"],
  ["t", "\t"],
  ["\t", "\t"],
  ["n", "\n"],
  ["v", "\v"],
  ["f", "\f"],
  ["r", "\r"],
  ["e", "\x1b"],
  [" ", " "],
  ['"', '"'],
  ["/", "/"],
  ["\\", "\\"],
  ["N", "\x85"],
  ["_", "\xa0"],
  ["L", "\u2028"],
  ["P", "\u2029"],
]);
const hexLengths = new Map([
  ["x", 2],
  ["u", 4],
  ["U", 8],
]);

export const isSimpleEscape = (letter: string): boolean => simpleEscapes.has(letter);
/** 0: the letter begins no number. */
export const hexLength = (letter: string): number => hexLengths.get(letter) ?? 0;

/** The value of a plain scalar that spans lines: they are folded. */
export const plainText = (raw: string): string => folded(raw, (line) => line);

export const singleQuotedText = (raw: string): string => folded(raw, (line) => line.replaceAll("''", "'"), true);

/** Lines are joined by a blank; an empty line is a line break. Blanks around line breaks go. */
function folded(raw: string, unescape: (line: string) => string, keepsEnd = false): string {
  const lines = raw.split(/\r\n?|\n/);
  const last = lines.length - 1;
  const parts: string[] = [];
  let breaks = 0;
  for (const [at, line] of lines.entries()) {
    const begun = at === 0 ? line : trimStart(line);
    const content = at === last && keepsEnd ? begun : trimEnd(begun);
    if (at > 0) breaks++;
    if (at > 0 && at < last && content === "") continue;
    if (breaks > 0) parts.push(breaks === 1 ? " " : "\n".repeat(breaks - 1));
    breaks = 0;
    parts.push(unescape(content));
  }
  return parts.join("");
}

function trimStart(line: string): string {
  let start = 0;
  while (char.isBlank(line.charCodeAt(start))) start++;
  return line.slice(start);
}

function trimEnd(line: string): string {
  let end = line.length;
  while (end > 0 && char.isBlank(line.charCodeAt(end - 1))) end--;
  return line.slice(0, end);
}

/** Between the quotes; the reader has checked its escapes. */
export function doubleQuotedText(raw: string): string {
  const parts: string[] = [];
  let at = 0;
  /** Where text begins that is taken as it is, and where it ends without the blanks behind it. */
  let start = 0;
  let end = 0;
  while (at < raw.length) {
    const code = raw.charCodeAt(at);
    if (code === char.backslash) {
      parts.push(raw.slice(start, at));
      const escape = readEscape(raw, at + 1);
      parts.push(escape.text);
      at = start = end = escape.next;
    } else if (char.isLineBreak(code)) {
      parts.push(raw.slice(start, end));
      const { next, breaks } = skipBreaks(raw, at);
      parts.push(breaks === 1 ? " " : "\n".repeat(breaks - 1));
      at = start = end = next;
    } else {
      at++;
      if (!char.isBlank(code)) end = at;
    }
  }
  parts.push(raw.slice(start));
  return parts.join("");
}

function readEscape(raw: string, at: number): { text: string; next: number } {
  const letter = raw.charAt(at);
  if (char.isLineBreak(letter.charCodeAt(0))) return { text: "", next: skipBreaks(raw, at).next };
  const simple = simpleEscapes.get(letter);
  if (simple !== undefined) return { text: simple, next: at + 1 };
  const next = at + 1 + hexLength(letter);
  return { text: String.fromCodePoint(Number.parseInt(raw.slice(at + 1, next), 16)), next };
}

function skipBreaks(raw: string, from: number): { next: number; breaks: number } {
  let breaks = 0;
  let at = from;
  for (; at < raw.length; at++) {
    const code = raw.charCodeAt(at);
    if (code === char.lineFeed) breaks++;
    else if (code === 13) {
      breaks++;
      if (raw.charCodeAt(at + 1) === char.lineFeed) at++;
    } else if (!char.isBlank(code)) break;
  }
  return { next: at, breaks };
}

/** A literal or folded block. @param indent of its lines; -1: it has none but empty ones */
export function blockText(raw: string, indent: number, chomping: Chomping, isFolded: boolean): string {
  const region = raw.replace(/\r\n?/g, "\n");
  const lines = region === "" ? [] : (region.endsWith("\n") ? region.slice(0, -1) : region).split("\n");
  const parts: string[] = [];
  let emptyLines = 0;
  let wasMoreIndented = false;
  for (const line of lines) {
    if (indent < 0 || isEmptyAt(line, indent)) {
      emptyLines++;
      continue;
    }
    const content = line.slice(indent);
    const isFirst = parts.length === 0;
    const isMoreIndented = isFolded && char.isBlank(content.charCodeAt(0));
    if (isFolded && !isMoreIndented && !wasMoreIndented)
      parts.push(emptyLines > 0 ? "\n".repeat(emptyLines) : isFirst ? "" : " ");
    else parts.push("\n".repeat(isFirst && !wasMoreIndented ? emptyLines : emptyLines + 1));
    wasMoreIndented = isMoreIndented;
    parts.push(content);
    emptyLines = 0;
  }
  const hasContent = parts.length > 0;
  if (chomping === "keep") parts.push("\n".repeat(hasContent ? 1 + emptyLines : emptyLines));
  else if (chomping === "clip" && hasContent) parts.push("\n");
  return parts.join("");
}

function isEmptyAt(line: string, indent: number): boolean {
  let column = 0;
  while (column < indent && line.charCodeAt(column) === char.space) column++;
  return column >= line.length;
}
