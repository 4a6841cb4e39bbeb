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

const bytesOf = (text: ByteString): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0));

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

/** What stands in each part as it is, besides letters and digits. */
const plain: Readonly<Record<UrlPart, RegExp>> = {
  path: /^[A-Za-z0-9\-_.~$&+,/:;=@]$/,
  host: /^[A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"]$/,
  zone: /^[A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"]$/,
  user: /^[A-Za-z0-9\-_.~$&+,;=]$/,
  query: /^[A-Za-z0-9\-_.~]$/,
  fragment: /^[A-Za-z0-9\-_.~$&+,/:;=?@!()*]$/,
};

export const isPlain = (char: string, part: UrlPart): boolean => plain[part].test(char);

export function escapeUrl(text: ByteString, part: UrlPart): string {
  let out = "";
  for (const char of text)
    out += isPlain(char, part) ? char : `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
  return out;
}

/** @throws UrlError with Go's words */
export function unescapeUrl(text: ByteString, part: UrlPart): ByteString {
  const isHost = part === "host" || part === "zone";
  if (!isHost && !text.includes("%") && !(part === "query" && text.includes("+"))) return text;
  let out = "";
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string;
    if (char === "%") {
      out += readEscape(text.slice(at, at + 3), part);
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
function readEscape(escape: string, part: UrlPart): string {
  const char = /^%[0-9A-Fa-f]{2}$/.test(escape) ? String.fromCharCode(Number.parseInt(escape.slice(1), 16)) : undefined;
  const isAllowed =
    char !== undefined &&
    (escape === "%25" ||
      (part === "host" ? char >= "\u0080" : part !== "zone" || char === " " || isPlain(char, "host")));
  if (!isAllowed) throw new UrlError(`invalid URL escape ${quoteByteString(escape)}`);
  return char;
}
