/*
 * Start tags of HTML, read character by character: a page comes from a pod, which may make its tags as long and as crooked as
 * it likes. Expressions for the same are quadratic on a long tag.
 */

const isSpace = (char: string): boolean =>
  char === " " || char === "\n" || char === "\t" || char === "\r" || char === "\f" || char === "\v";
const isQuote = (char: string): boolean => char === '"' || char === "'";
const isNameChar = (char: string): boolean =>
  !isSpace(char) && !isQuote(char) && char !== "=" && char !== "/" && char !== ">";

/** Where the characters end that `accepts` takes, from `at` on. */
function runEnd(text: string, at: number, accepts: (char: string) => boolean): number {
  let end = at;
  while (end < text.length && accepts(text.charAt(end))) end++;
  return end;
}

/** Where the name of the element ends whose `<` stands at `at`. */
export const tagNameEnd = (text: string, at: number): number =>
  runEnd(text, at + 1, (char) => !isSpace(char) && char !== "/" && char !== ">");

/** Behind the `>` that ends the tag. Quoted values may hold the sign. Undefined: the text ends before. */
export function tagEnd(text: string, at: number): number | undefined {
  let quote = "";
  for (let here = tagNameEnd(text, at); here < text.length; here++) {
    const char = text.charAt(here);
    if (quote === "" ? isQuote(char) : char === quote) quote = quote === "" ? char : "";
    else if (quote === "" && char === ">") return here + 1;
  }
  return undefined;
}

/** The text of a tag behind its name, with the values that `rewrite` changes; a bare value gets quotes. All else stays as it is. */
export function rewriteAttributes(
  text: string,
  isWanted: (name: string) => boolean,
  rewrite: (value: string) => string,
): string {
  let out = "";
  let copied = 0;
  let at = 0;
  while (at < text.length) {
    const nameEnd = runEnd(text, at, isNameChar);
    if (nameEnd === at) {
      at += 1;
      continue;
    }
    const name = text.slice(at, nameEnd);
    at = runEnd(text, nameEnd, isSpace);
    if (text.charAt(at) !== "=") continue;
    at = runEnd(text, at + 1, isSpace);
    const value = valueAt(text, at);
    if (!value) continue;
    if (isWanted(name)) {
      out += `${text.slice(copied, at)}${value.quote}${rewrite(value.text)}${value.quote}`;
      copied = value.end;
    }
    at = value.end;
  }
  return out + text.slice(copied);
}

function valueAt(text: string, at: number): { text: string; quote: string; end: number } | undefined {
  const first = text.charAt(at);
  if (isQuote(first)) {
    const close = text.indexOf(first, at + 1);
    return close < 0 ? undefined : { text: text.slice(at + 1, close), quote: first, end: close + 1 };
  }
  const end = runEnd(text, at, (char) => !isSpace(char) && !isQuote(char) && char !== ">");
  return end === at ? undefined : { text: text.slice(at, end), quote: '"', end };
}
