import { encodeUtf8 } from "../text/utf8-bytes.js";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const plain = /^[A-Za-z0-9+/]*={0,2}$/;

/** The text Go would write after reading `text`: line breaks and stray bits gone. undefined: no base64. */
export function canonicalBase64(text: string): string | undefined {
  if (text.length % 4 === 0 && plain.test(text) && hasNoStrayBits(text)) return text;
  const joined = text.replaceAll(/[\r\n]/g, "");
  if (joined.length % 4 !== 0 || !plain.test(joined)) return undefined;
  return hasNoStrayBits(joined) ? joined : clearStrayBits(joined);
}

/** The last letter before the padding must not carry bits that fall into no byte. */
function hasNoStrayBits(text: string): boolean {
  if (!text.endsWith("=")) return true;
  const padding = text.endsWith("==") ? 2 : 1;
  const last = alphabet.indexOf(text[text.length - padding - 1] ?? "A");
  return (last & (padding === 2 ? 15 : 3)) === 0;
}

function clearStrayBits(text: string): string {
  const padding = text.endsWith("==") ? 2 : 1;
  const at = text.length - padding - 1;
  const last = alphabet.indexOf(text[at] ?? "A") & ~(padding === 2 ? 15 : 3);
  return text.slice(0, at) + alphabet[last] + text.slice(at + 1);
}

/** Where Go's decoder stops at a text that is no base64, counted in bytes. */
export function base64ErrorOffset(text: string): number {
  const bytes = encodeUtf8(text);
  const skipBreaks = (from: number): number => {
    let next = from;
    while (bytes[next] === 0x0a || bytes[next] === 0x0d) next++;
    return next;
  };
  let letters = 0; // of the quantum being read
  for (let at = skipBreaks(0); at < bytes.length; at = skipBreaks(at)) {
    const byte = bytes[at++] as number;
    if (byte < 0x80 && byte !== 0x3d && alphabet.includes(String.fromCharCode(byte))) {
      letters = (letters + 1) % 4;
      continue;
    }
    if (byte !== 0x3d || letters < 2) return at - 1;
    if (letters === 2) {
      at = skipBreaks(at);
      if (at === bytes.length) return at;
      if (bytes[at] !== 0x3d) return at - 1;
      at++;
    }
    return skipBreaks(at);
  }
  return bytes.length - letters;
}
