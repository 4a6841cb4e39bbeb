import { lex } from "./lexer.js";

export interface SyntaxIssue {
  /** UTF-16 units from the start of the expression. */
  readonly offset: number;
  readonly message: string;
}

/** What upstream's parser says of a text that is no expression. */
export function syntaxErrors(text: string): SyntaxIssue[] {
  const { tokens, errors } = lex(text);
  const issues = errors.map(({ start, text: bad }) => ({
    offset: start,
    message: `token recognition error at: '${escapeText(bad)}'`,
  }));
  if (issues.length === 0) issues.push({ offset: tokens.at(-1)?.start ?? 0, message: "mismatched input" });
  return issues;
}

const escapeText = (text: string): string =>
  text.replaceAll("\n", "\\n").replaceAll("\r", "\\r").replaceAll("\t", "\\t");
