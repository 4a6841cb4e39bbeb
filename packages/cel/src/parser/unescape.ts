import { append } from "@coxswain/apimachinery/append";
import { encodeUtf8 } from "@coxswain/apimachinery/text";

/** The text or bytes of a literal, or what is wrong with it. */
export type Unescaped<T> =
  | { readonly value: T; readonly error?: never }
  | { readonly value?: never; readonly error: string };

const named: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  f: 12,
  n: 10,
  r: 13,
  t: 9,
  v: 11,
  "\\": 92,
  "'": 39,
  '"': 34,
  "`": 96,
  "?": 63,
};

/** The content of a string literal, quotes and prefixes included in `literal`. */
export function unescapeString(literal: string): Unescaped<string> {
  const { content, isRaw } = unquote(literal);
  if (isRaw || !content.includes("\\")) return { value: content };
  let out = "";
  for (let at = 0; at < content.length; ) {
    const char = content[at] as string;
    if (char !== "\\") {
      out += char;
      at++;
      continue;
    }
    const { code, end } = readEscape(content, at + 1);
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return { error: "invalid unicode code point" };
    out += String.fromCodePoint(code);
    at = end;
  }
  return { value: out };
}

/** The content of a bytes literal, without its `b`. */
export function unescapeBytes(literal: string): Unescaped<Uint8Array> {
  const { content, isRaw } = unquote(literal);
  if (isRaw || !content.includes("\\")) return { value: encodeUtf8(content) };
  const bytes: number[] = [];
  for (let at = 0; at < content.length; ) {
    const code = content.codePointAt(at) as number;
    if (code !== 92) {
      const char = String.fromCodePoint(code);
      append(bytes, encodeUtf8(char));
      at += char.length;
      continue;
    }
    const kind = content[at + 1];
    if (kind === "u" || kind === "U") return { error: "unable to unescape string" };
    const escape = readEscape(content, at + 1);
    bytes.push(escape.code & 0xff);
    at = escape.end;
  }
  return { value: Uint8Array.from(bytes) };
}

function unquote(literal: string): { content: string; isRaw: boolean } {
  // All strings have their line ends normalized.
  const normal = literal.replaceAll("\r\n", "\n").replaceAll("\r", "\n");
  const isRaw = normal.startsWith("r") || normal.startsWith("R");
  const quoted = isRaw ? normal.slice(1) : normal;
  const isLong = quoted.length >= 6 && (quoted.startsWith('"""') || quoted.startsWith("'''"));
  return { content: isLong ? quoted.slice(3, -3) : quoted.slice(1, -1), isRaw };
}

/** The escape whose letter stands at `at`; the lexer has seen that it is complete. */
function readEscape(content: string, at: number): { code: number; end: number } {
  const kind = content[at] as string;
  const code = named[kind];
  if (code !== undefined) return { code, end: at + 1 };
  if (kind >= "0" && kind <= "3") return { code: Number.parseInt(content.slice(at, at + 3), 8), end: at + 3 };
  const count = kind === "u" ? 4 : kind === "U" ? 8 : 2;
  return { code: Number.parseInt(content.slice(at + 1, at + 1 + count), 16), end: at + 1 + count };
}
