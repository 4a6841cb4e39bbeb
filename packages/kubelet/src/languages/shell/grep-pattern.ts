import { compileRegexp, RegexpError } from "@coxswain/apimachinery/regexp";

/** How a line is tested, and what it costs. */
export interface LineTest {
  /** Undefined: lines may be as long as they like. An expression's states are found a character at a time, without a pause between. */
  readonly longestLine: number | undefined;
  test(line: string): boolean;
}

export interface PatternOptions {
  /** `-F`: plain texts; `-E`: extended expressions. @default basic ones */
  readonly syntax?: "plain" | "extended";
  readonly ignoresCase?: boolean;
  /** `-x` */
  readonly isWholeLine?: boolean;
  /** `-w` */
  readonly isWholeWord?: boolean;
}

/** Characters of an expression, and of a line that it is tried on: together they bound one step. */
const longestExpression = 256;
const longestLine = 4096;

/**
 * Pure: what `grep` looks for. Plain texts, also between `^` and `$`, are compared as they are; other patterns are run in linear time.
 * @returns what is wrong with the pattern
 */
export function grepPattern(pattern: string, options: PatternOptions = {}): LineTest | string {
  const { syntax = "basic", ignoresCase = false, isWholeLine = false, isWholeWord = false } = options;
  const [, start = "", text = "", end = ""] =
    syntax === "plain" ? ["", "", pattern, ""] : (/^(\^?)(.*?)((?:(?<!\\)\$)?)$/s.exec(pattern) ?? []);
  if (!isWholeWord && (syntax === "plain" || !/[\\.*[\]^$+?(){}|]/.test(text)))
    return plainTest(text, {
      ignoresCase,
      fromStart: isWholeLine || start !== "",
      toEnd: isWholeLine || end !== "",
    });
  if (pattern.length > longestExpression) return "regular expression too big";
  const extended = syntax === "plain" ? text.replace(/[\\.*[\]^$+?(){}|]/g, "\\$&") : asExtended(pattern, syntax);
  const bounded = isWholeLine ? `^(?:${extended})$` : isWholeWord ? `\\b(?:${extended})\\b` : extended;
  try {
    const regexp = compileRegexp(ignoresCase ? `(?i)${bounded}` : bounded);
    return { longestLine, test: (line) => regexp.test(line) };
  } catch (error) {
    if (error instanceof RegexpError) return error.message;
    throw error;
  }
}

function plainTest(
  text: string,
  { ignoresCase, fromStart, toEnd }: { ignoresCase: boolean; fromStart: boolean; toEnd: boolean },
): LineTest {
  const wanted = ignoresCase ? text.toLowerCase() : text;
  const has = (line: string): boolean =>
    fromStart && toEnd
      ? line === wanted
      : fromStart
        ? line.startsWith(wanted)
        : toEnd
          ? line.endsWith(wanted)
          : line.includes(wanted);
  return { longestLine: undefined, test: (line) => has(ignoresCase ? line.toLowerCase() : line) };
}

/** In basic expressions `+ ? | ( ) { }` are plain without a backslash, and special with one. */
function asExtended(pattern: string, syntax: "basic" | "extended"): string {
  if (syntax === "extended") return pattern;
  let isInClass = false;
  return pattern.replace(/\\[\s\S]|[\s\S]/g, (part, at: number) => {
    if (isInClass) {
      if (part === "]" && !/\[\^?$/.test(pattern.slice(0, at))) isInClass = false;
      return part;
    }
    if (part === "[") isInClass = true;
    if (/^\\[+?|(){}]$/.test(part)) return part.slice(1);
    return /^[+?|(){}]$/.test(part) ? `\\${part}` : part;
  });
}
