import { type Token, type TokenKind } from "./token.js";

/** Text that is no token. */
export interface LexicalError {
  readonly start: number;
  /** The text that was read before the lexer knew. */
  readonly text: string;
}

export interface LexedTokens {
  /** Ends with EOF. */
  readonly tokens: readonly Token[];
  readonly errors: readonly LexicalError[];
}

/** What was read at one place: a token of that kind up to `end`, or nothing, having looked at text up to `seen`. */
interface Scanned {
  readonly kind: TokenKind | "hidden" | undefined;
  readonly end: number;
}

/** Cuts an expression into tokens, the longest first, in one pass. Text that starts no token is reported and left out. */
export function lex(text: string): LexedTokens {
  const tokens: Token[] = [];
  const errors: LexicalError[] = [];
  let at = 0;
  while (at < text.length) {
    const { kind, end } = scan(text, at);
    if (kind === undefined) errors.push({ start: at, text: text.slice(at, end) });
    else if (kind !== "hidden") tokens.push({ kind, text: text.slice(at, end), start: at });
    at = end;
  }
  tokens.push({ kind: "EOF", text: "<EOF>", start: text.length });
  return { tokens, errors };
}

const doubled: ReadonlySet<string> = new Set(["==", "!=", "<=", ">=", "&&", "||"]);
const single: ReadonlySet<string> = new Set("<>[]{}().,-!?:+*/%");
const keywords: ReadonlySet<string> = new Set(["in", "true", "false", "null"]);

function scan(text: string, start: number): Scanned {
  const char = text[start] as string;
  if (isSpace(char)) return { kind: "hidden", end: skip(text, start, isSpace) };
  if (text.startsWith("//", start)) return { kind: "hidden", end: endOfLine(text, start) };
  if (isDigit(char) || (char === "." && isDigit(text[start + 1]))) return scanNumber(text, start);
  const literal = scanString(text, start);
  if (literal?.kind !== undefined) return literal;
  if (isLetter(char)) {
    const end = skip(text, start, isNamePart);
    const name = text.slice(start, end);
    return { kind: keywords.has(name) ? (name as TokenKind) : "IDENTIFIER", end };
  }
  if (literal !== undefined) return literal;
  if (char === "`") return scanEscapedName(text, start);
  const two = text.slice(start, start + 2);
  if (doubled.has(two)) return { kind: two as TokenKind, end: start + 2 };
  if (single.has(char)) return { kind: char as TokenKind, end: start + 1 };
  return failAt(text, char === "=" || char === "&" || char === "|" ? start + 1 : start);
}

/** No token: the lexer has looked at the character at `at` and goes on behind it. */
const failAt = (text: string, at: number): Scanned => ({ kind: undefined, end: afterChar(text, at) });

const afterChar = (text: string, at: number): number =>
  at >= text.length ? text.length : at + ((text.codePointAt(at) as number) > 0xffff ? 2 : 1);

function endOfLine(text: string, start: number): number {
  const at = text.indexOf("\n", start);
  return at < 0 ? text.length : at;
}

function scanNumber(text: string, start: number): Scanned {
  if (text.startsWith("0x", start)) {
    const end = skip(text, start + 2, isHexDigit);
    if (end > start + 2) return withUnsigned(text, end);
  }
  const whole = skip(text, start, isDigit);
  const fraction = text[whole] === "." && isDigit(text[whole + 1]) ? skip(text, whole + 1, isDigit) : whole;
  const end = skipExponent(text, fraction);
  return end > whole ? { kind: "NUM_FLOAT", end } : withUnsigned(text, end);
}

function withUnsigned(text: string, end: number): Scanned {
  const isUnsigned = text[end] === "u" || text[end] === "U";
  return isUnsigned ? { kind: "NUM_UINT", end: end + 1 } : { kind: "NUM_INT", end };
}

function skipExponent(text: string, at: number): number {
  if (text[at] !== "e" && text[at] !== "E") return at;
  const digits = text[at + 1] === "+" || text[at + 1] === "-" ? at + 2 : at + 1;
  return isDigit(text[digits]) ? skip(text, digits, isDigit) : at;
}

function scanEscapedName(text: string, start: number): Scanned {
  const end = skip(
    text,
    start + 1,
    (char) => isNamePart(char) || char === "." || char === "-" || char === "/" || char === " ",
  );
  return text[end] === "`" && end > start + 1 ? { kind: "ESC_IDENTIFIER", end: end + 1 } : failAt(text, end);
}

/** A string or bytes literal at `start`; undefined where none begins. */
function scanString(text: string, start: number): Scanned | undefined {
  let at = start;
  const isBytes = text[at] === "b" || text[at] === "B";
  if (isBytes) at++;
  const isRaw = text[at] === "r" || text[at] === "R";
  if (isRaw) at++;
  const quote = text[at];
  if (quote !== '"' && quote !== "'") return undefined;
  const kind = isBytes ? "BYTES" : "STRING";
  if (text.startsWith(quote.repeat(3), at)) {
    const long = scanQuoted(text, at + 3, { quote: quote.repeat(3), isRaw });
    // Not closed: what remains is an empty string, and a quote that opens another one.
    return long.closed ? { kind, end: long.end } : { kind, end: at + 2 };
  }
  const short = scanQuoted(text, at + 1, { quote, isRaw });
  return short.closed ? { kind, end: short.end } : { kind: undefined, end: afterChar(text, short.end) };
}

interface Quoted {
  readonly quote: string;
  readonly isRaw: boolean;
}

/** The end behind the closing quote, or the place where the literal turned out to be none. */
function scanQuoted(text: string, start: number, { quote, isRaw }: Quoted): { closed: boolean; end: number } {
  const isLong = quote.length === 3;
  for (let at = start; at < text.length; at++) {
    const char = text[at];
    if (text.startsWith(quote, at)) return { closed: true, end: at + quote.length };
    if (!isLong && (char === "\n" || char === "\r")) return { closed: false, end: at };
    if (char !== "\\" || isRaw) continue;
    const escape = scanEscape(text, at + 1);
    if (!escape.valid) return { closed: false, end: escape.end };
    at = escape.end - 1;
  }
  return { closed: false, end: text.length };
}

function scanEscape(text: string, at: number): { valid: boolean; end: number } {
  const char = text[at];
  if (char === undefined) return { valid: false, end: at };
  if ("abfnrtv\"'\\?`".includes(char)) return { valid: true, end: at + 1 };
  if (char >= "0" && char <= "3") return digits(text, at + 1, { count: 2, isDigit: isOctalDigit });
  const count = char === "x" || char === "X" ? 2 : char === "u" ? 4 : char === "U" ? 8 : 0;
  return count === 0 ? { valid: false, end: at } : digits(text, at + 1, { count, isDigit: isHexDigit });
}

interface Digits {
  readonly count: number;
  readonly isDigit: (char: string | undefined) => boolean;
}

function digits(text: string, start: number, { count, isDigit: accepts }: Digits): { valid: boolean; end: number } {
  for (let at = start; at < start + count; at++) if (!accepts(text[at])) return { valid: false, end: at };
  return { valid: true, end: start + count };
}

function skip(text: string, start: number, accepts: (char: string) => boolean): number {
  let at = start;
  while (at < text.length && accepts(text[at] as string)) at++;
  return at;
}

const isSpace = (char: string): boolean =>
  char === " " || char === "\n" || char === "\t" || char === "\r" || char === "\f";
const isDigit = (char: string | undefined): boolean => char !== undefined && char >= "0" && char <= "9";
const isOctalDigit = (char: string | undefined): boolean => char !== undefined && char >= "0" && char <= "7";
const isHexDigit = (char: string | undefined): boolean =>
  isDigit(char) || (char !== undefined && ((char >= "a" && char <= "f") || (char >= "A" && char <= "F")));
const isLetter = (char: string): boolean =>
  (char >= "a" && char <= "z") || (char >= "A" && char <= "Z") || char === "_";
const isNamePart = (char: string): boolean => isLetter(char) || isDigit(char);
