import { append } from "../append/index.js";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const named: ReadonlyMap<string, number> = new Map([
  ["a", 7],
  ["b", 8],
  ["f", 12],
  ["n", 10],
  ["r", 13],
  ["t", 9],
  ["v", 11],
  ["\\", 92],
]);

const escapeForm = /^\\(?:([abfnrtv\\])|(['"])|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{3}))/;

/** The text of a string in single or double quotes, with Go's escapes; undefined where it breaks their rules. */
export function unquote(quoted: string): string | undefined {
  const quote = quoted.charAt(0);
  const inner = quoted.slice(1, -1);
  if (quoted.length < 2 || !quoted.endsWith(quote)) return undefined;
  if (!inner.includes("\\") && !inner.includes(quote)) return inner;
  // Escapes may spell out bytes, so that the whole is text only in the end.
  const bytes: number[] = [];
  for (let at = 0; at < inner.length; ) {
    const char = String.fromCodePoint(inner.codePointAt(at) ?? 0);
    if (char === quote) return undefined;
    if (char !== "\\") {
      append(bytes, encoder.encode(char));
      at += char.length;
      continue;
    }
    const match = escapeForm.exec(inner.slice(at, at + 10));
    const escaped = match && escapedBytes(match, quote);
    if (!escaped) return undefined;
    append(bytes, escaped);
    at += match[0].length;
  }
  return decoder.decode(Uint8Array.from(bytes));
}

function escapedBytes(
  [, name, mark, hex, short, long, octal]: RegExpExecArray,
  quote: string,
): Iterable<number> | undefined {
  if (name !== undefined) return [named.get(name) ?? 0];
  if (mark !== undefined) return mark === quote ? encoder.encode(mark) : undefined;
  if (hex !== undefined) return [Number.parseInt(hex, 16)];
  if (octal !== undefined) return Number.parseInt(octal, 8) > 255 ? undefined : [Number.parseInt(octal, 8)];
  const code = Number.parseInt(short ?? long ?? "", 16);
  if (code > 0x10_ffff || (code >= 0xd800 && code < 0xe000)) return undefined;
  return encoder.encode(String.fromCodePoint(code));
}
