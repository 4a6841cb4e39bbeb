/** When all warnings together are longer than this, counted in characters, each is cut. */
const mostTogether = 4 * 1024;
const mostEach = 256;

/** Warning headers (RFC 7234: code 299, no agent, quoted text), each text once. Those with control characters are left out. */
export function warningHeaders(warnings: readonly string[]): string[] {
  const texts = [...new Set(warnings)]
    .filter((text) => text !== "")
    .map((text) => ({ text, length: [...text].length }));
  const isLong = texts.reduce((sum, { length }) => sum + length, 0) > mostTogether;
  return (isLong ? cut(texts) : texts.map(({ text }) => text)).filter((text) => !/\p{Cc}/u.test(text)).map(header);
}

/** As many as fit, none longer than the limit. */
function cut(texts: readonly { readonly text: string; readonly length: number }[]): string[] {
  const kept: string[] = [];
  let written = 0;
  for (const { text, length } of texts) {
    if (written >= mostTogether) break;
    kept.push(length > mostEach ? [...text].slice(0, mostEach).join("") : text);
    written += Math.min(length, mostEach);
  }
  return kept;
}

/** Header values are bytes to Node: one character each. */
const header = (text: string): string => Buffer.from(`299 - "${text.replace(/["\\]/g, "\\$&")}"`).toString("latin1");
