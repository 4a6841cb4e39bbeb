import { quoteGo } from "../text/go-quote.js";
import { decodeUtf8, decodeUtf8Lossy, encodeUtf8 } from "../text/utf8-bytes.js";

/**
 * Percent-encoding as Go's net/url does it. An escape may stand for any byte, so a decoded part need not be UTF-8: the parts
 * are byte strings here, one character for each byte.
 */
export type ByteString = string;

export class UrlError extends Error {}

// oxlint-disable-next-line no-control-regex -- all of ASCII is meant.
const ascii = /^[\u0000-\u007f]*$/;

export function toByteString(text: string): ByteString {
  if (ascii.test(text)) return text;
  let out = "";
  for (const byte of encodeUtf8(text)) out += String.fromCharCode(byte);
  return out;
}

function bytesOf(text: ByteString): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

export const fromByteString = (text: ByteString): string => (ascii.test(text) ? text : decodeUtf8Lossy(bytesOf(text)));

/** As Go's %q writes it. */
export function quoteByteString(text: ByteString): string {
  const decoded = ascii.test(text) ? text : decodeUtf8(bytesOf(text));
  if (decoded !== undefined) return quoteGo(decoded);
  const pieces = [...text].map((char) =>
    char < "\u0080" ? quoteGo(char).slice(1, -1) : `\\x${char.charCodeAt(0).toString(16)}`,
  );
  return `"${pieces.join("")}"`;
}

export type UrlPart = "path" | "host" | "zone" | "user" | "query" | "fragment";

/** What stands in each part as it is. */
const plainText: Readonly<Record<UrlPart, RegExp>> = {
  path: /^[A-Za-z0-9\-_.~$&+,/:;=@]*$/,
  host: /^[A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"]*$/,
  zone: /^[A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"]*$/,
  user: /^[A-Za-z0-9\-_.~$&+,;=]*$/,
  query: /^[A-Za-z0-9\-_.~]*$/,
  fragment: /^[A-Za-z0-9\-_.~$&+,/:;=?@!()*]*$/,
};

/** What may stay as it was written: escapes, and what else the RFC lets stand there. */
const encoded = {
  path: /^[A-Za-z0-9\-_.~$&+,/:;=@!'()*[\]%]*$/,
  fragment: /^[A-Za-z0-9\-_.~$&+,/:;=?@!'()*[\]%]*$/,
};

/** By byte. */
const characters = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte));
const escapeOf = (byte: number): string => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;

const isPlain = (text: ByteString, part: UrlPart): boolean => plainText[part].test(text);

/** By part and byte: what the byte is written as. Texts of megabytes are escaped, so no pattern is tried for each. */
const written: ReadonlyMap<string, readonly string[]> = new Map(
  (Object.keys(plainText) as UrlPart[]).map((part) => [
    part,
    characters.map((char, byte) => (isPlain(char, part) ? char : escapeOf(byte))),
  ]),
);

/** Whether a part may stay as it was written, rather than be written canonically. */
export const isEncoded = (text: ByteString, part: keyof typeof encoded): boolean => encoded[part].test(text);

export function escapeUrl(text: ByteString, part: UrlPart): string {
  if (isPlain(text, part)) return text;
  const table = written.get(part) ?? [];
  let out = "";
  for (let at = 0; at < text.length; at++) out += table[text.charCodeAt(at)];
  return out;
}

/** @throws UrlError with Go's words */
export function unescapeUrl(text: ByteString, part: UrlPart): ByteString {
  const isHost = part === "host" || part === "zone";
  if (isHost ? isPlain(text, part) : !text.includes("%") && (part !== "query" || !text.includes("+"))) return text;
  let out = "";
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string;
    if (char === "%") {
      out += characters[readEscape(text, at, part)];
      at += 2;
    } else if (isHost && char < "\u0080" && !isPlain(char, part)) {
      throw new UrlError(`invalid character ${quoteByteString(char)} in host name`);
    } else {
      out += char === "+" && part === "query" ? " " : char;
    }
  }
  return out;
}

/** Of a host, only what is not ASCII may be written by its number; of a zone also a space and what stands for itself. */
function readEscape(text: ByteString, at: number, part: UrlPart): number {
  const byte = hexDigit(text.charCodeAt(at + 1)) * 16 + hexDigit(text.charCodeAt(at + 2));
  const isAllowed = byte === 0x25 || (byte >= 0 && isEscapable(byte, part));
  if (!isAllowed) throw new UrlError(`invalid URL escape ${quoteByteString(text.slice(at, at + 3))}`);
  return byte;
}

function isEscapable(byte: number, part: UrlPart): boolean {
  if (part === "host") return byte >= 0x80;
  return part !== "zone" || byte === 0x20 || isPlain(characters[byte] as string, part);
}

/** NaN for what is none, and for the end of the text. */
function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : Number.NaN;
}
