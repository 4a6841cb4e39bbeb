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
/** Where Go's decoder stops, counted in bytes of its input. */
export function base64ErrorOffset(text: string): number {
  const letters = new Set(alphabet);
  let quantum = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string;
    if (char === "\n" || char === "\r") continue;
    if (letters.has(char)) {
      quantum = (quantum + 1) % 4;
      continue;
    }
    return at;
  }
  return quantum === 0 ? 0 : text.length;
}
