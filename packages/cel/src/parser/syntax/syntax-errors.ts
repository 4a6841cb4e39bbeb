import { lex } from "../lexer.js";
import { type Token } from "../token.js";
import { ParsingEnded, RecoveringParser } from "./recovering-parser.js";

export interface SyntaxIssue {
  /** UTF-16 units from the start of the expression; undefined for what has no place. */
  readonly offset: number | undefined;
  readonly message: string;
}

/** What upstream's parser reports of a text that is no expression. */
export function syntaxErrors(text: string): SyntaxIssue[] {
  const lexed = lex(text);
  // Text that is no token is no part of what the parser sees.
  const between = (from: Token, to: Token): string => {
    const end = to.kind === "EOF" ? text.length : to.start + to.text.length;
    let out = "";
    let at = from.start;
    for (const { start, text: bad } of lexed.errors) {
      if (start < at || start >= end) continue;
      out += text.slice(at, start);
      at = start + bad.length;
    }
    return out + text.slice(at, end);
  };
  const parser = new RecoveringParser(lexed, between);
  const ended = run(parser);
  // Tokens are read when they are needed: behind the place where parsing ended there were none.
  const end = ended === undefined ? text.length : parser.position;
  const issues: SyntaxIssue[] = lexed.errors
    .filter(({ start }) => start < end)
    .map(({ start, text: bad }) => ({
      offset: start,
      message: `Syntax error: token recognition error at: '${bad}'`,
    }));
  for (const { token, message } of parser.problems)
    issues.push({ offset: token.start, message: `Syntax error: ${withReserved(message)}` });
  if (issues.length > reportLimit) return tooMany(issues);
  if (ended?.message !== undefined) issues.push({ offset: undefined, message: ended.message });
  return issues;
}

/** Upstream gives up behind so many: finding the place of each of a hundred thousand would take minutes. */
const reportLimit = 100;

function tooMany(issues: readonly SyntaxIssue[]): SyntaxIssue[] {
  const sorted = [...issues].sort((a, b) => (a.offset ?? 0) - (b.offset ?? 0)).slice(0, reportLimit + 1);
  const last = sorted.pop() as SyntaxIssue;
  return [...sorted, { ...last, message: `Syntax error: More than ${reportLimit} syntax errors` }];
}

function run(parser: RecoveringParser): ParsingEnded | undefined {
  try {
    parser.parse();
    return undefined;
  } catch (error) {
    if (error instanceof ParsingEnded) return error;
    throw error;
  }
}

/** Upstream keeps an older wording for keywords in place of names. */
const withReserved = (message: string): string =>
  message.replace(
    /no viable alternative at input '.(true|false|null)'/su,
    "mismatched input '$1' expecting IDENTIFIER",
  );
