/** When all warnings together are longer than this, counted in characters, each is cut. */
const maxTotalCharacters = 4 * 1024;
const maxWarningCharacters = 256;

/** Warning headers (RFC 7234: code 299, no agent, quoted text), each text once. Those with control characters are left out. */
export function warningHeaders(warnings: readonly string[]): string[] {
  const texts = new Set(warnings);
  texts.delete("");
  return (isLong(texts) ? cut(texts) : [...texts]).filter((text) => !/\p{Cc}/u.test(text)).map(header);
}

/** Counts no further than it has to: a client may cause as many warnings as it sends members. */
function isLong(texts: Iterable<string>): boolean {
  let characters = 0;
  for (const text of texts) {
    characters += lengthUpTo(text, maxTotalCharacters + 1);
    if (characters > maxTotalCharacters) return true;
  }
  return false;
}

/** As many as fit, none longer than the limit. */
function cut(texts: Iterable<string>): string[] {
  const kept: string[] = [];
  let written = 0;
  for (const text of texts) {
    if (written >= maxTotalCharacters) break;
    const short = Array.from(text.slice(0, 2 * maxWarningCharacters))
      .slice(0, maxWarningCharacters)
      .join("");
    kept.push(short);
    written += Array.from(short).length;
  }
  return kept;
}

/** Code points, of a text that may be far longer than matters. */
const lengthUpTo = (text: string, most: number): number => Array.from(text.slice(0, 2 * most)).length;

/** Header values are bytes to Node: one character each. */
const header = (text: string): string => Buffer.from(`299 - "${text.replace(/["\\]/g, "\\$&")}"`).toString("latin1");
