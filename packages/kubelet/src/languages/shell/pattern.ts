import { charge, pace, type ShellProcess } from "./shell-process.js";

/** Escapes what would be special in a pattern. */
export const patternOf = (text: string): string => text.replace(/[*?[\]\\]/g, "\\$&");

/** A character, any character, or any number of them. */
type PatternToken = string | typeof anyOne | typeof anyMany;
const anyOne = Symbol("?");
const anyMany = Symbol("*");

/** A pattern of `*`, `?` and characters; a backslash takes the next one literally. */
function tokensOf(pattern: string): PatternToken[] {
  const tokens: PatternToken[] = [];
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern.charAt(at);
    if (char === "*") {
      if (tokens.at(-1) !== anyMany) tokens.push(anyMany);
    } else if (char === "?") tokens.push(anyOne);
    else tokens.push(char === "\\" ? pattern.charAt(++at) : char);
  }
  return tokens;
}

/** Characters times tokens between two pauses. */
const comparisonsPerPause = 16_384;

/**
 * The lengths of the pieces of a text that match, from its front (or from its end) on, in ascending order. All positions in the pattern
 * that a piece can have reached are followed at once, so that the work is the product of both lengths and never more.
 */
async function* matchingLengths(
  text: string,
  pattern: string,
  { fromEnd, process }: { fromEnd: boolean; process: ShellProcess },
): AsyncGenerator<number> {
  const tokens = tokensOf(pattern);
  if (fromEnd) tokens.reverse();
  process.budget.check(pattern.length * 16);
  let reached = new Uint8Array(tokens.length + 1);
  let next = new Uint8Array(tokens.length + 1);
  reached[0] = 1;
  skipStars(tokens, reached);
  if (reached[tokens.length]) yield 0;
  for (let length = 1, comparisons = 0; length <= text.length; length++) {
    const char = text.charAt(fromEnd ? text.length - length : length - 1);
    next.fill(0);
    let isAlive = false;
    for (const [at, token] of tokens.entries()) {
      if (!reached[at]) continue;
      if (token === anyMany) next[at] = 1;
      else if (token === anyOne || token === char) next[at + 1] = 1;
      else continue;
      isAlive = true;
    }
    if (!isAlive) return;
    skipStars(tokens, next);
    [reached, next] = [next, reached];
    comparisons += tokens.length + 1;
    if (comparisons >= comparisonsPerPause) {
      charge(process, comparisons);
      comparisons = 0;
      await pace(process);
    }
    if (reached[tokens.length]) yield length;
  }
}

/** A star may stand for nothing. */
function skipStars(tokens: readonly PatternToken[], reached: Uint8Array): void {
  for (const [at, token] of tokens.entries()) if (reached[at] && token === anyMany) reached[at + 1] = 1;
}

/** Whether all of a text matches. */
export async function matchesPattern(text: string, pattern: string, process: ShellProcess): Promise<boolean> {
  let longest = -1;
  for await (const length of matchingLengths(text, pattern, { fromEnd: false, process })) longest = length;
  return longest === text.length;
}

/** `${name#pattern}` and its kin: the shortest or longest match goes from the front or the end. */
export async function strip(value: string, operator: string, pattern: string, process: ShellProcess): Promise<string> {
  const fromEnd = operator === "%" || operator === "%%";
  const isLongest = operator === "##" || operator === "%%";
  let found = 0;
  for await (const length of matchingLengths(value, pattern, { fromEnd, process })) {
    found = length;
    if (!isLongest) break;
  }
  return fromEnd ? value.slice(0, value.length - found) : value.slice(found);
}
