import { type FieldPath, fieldErrorText } from "../field/index.js";
import { compareUtf8 } from "../text/utf8-order.js";
import { lexLabelSelector, type Token, type TokenKind } from "./label-lexer.js";
import { type Selector, selectorOf } from "./label-selector.js";
import { checkKeyAt, createRequirement, type LabelOperator, type LabelRequirement } from "./requirement.js";
import { SelectorError } from "./selector-error.js";
import { checkLength, checkRequirementCount } from "./selector-limits.js";

/**
 * A selector as users write it: `app=web,tier in (a,b),!canary,size>3`. The empty text selects everything.
 * @throws SelectorError with upstream's words
 */
export const parseLabelSelector = (text: string, path?: FieldPath): Selector =>
  selectorOf(parseLabelRequirements(text, path));

/** The conditions of a selector's text, in the order written. */
export function parseLabelRequirements(text: string, path?: FieldPath): LabelRequirement[] {
  checkLength(text);
  const tokens = new TokenReader(lexLabelSelector(text));
  const requirements: LabelRequirement[] = [];
  for (;;) {
    const next = tokens.peek();
    if (next.kind === "end") return requirements;
    if (next.kind !== "identifier" && next.kind !== "!")
      throw unexpected(next, ", expected: !, identifier, or 'end of string'");
    requirements.push(parseRequirement(tokens, path));
    checkRequirementCount(requirements.length);
    const separator = tokens.take();
    if (separator.kind === "end") return requirements;
    if (separator.kind !== ",") throw unexpected(separator, ", expected: ',' or 'end of string'");
    const after = tokens.peek();
    if (after.kind !== "identifier" && after.kind !== "!") throw unexpected(after, ", expected: identifier after ','");
  }
}

const unexpected = ({ literal }: Token, expectation: string): SelectorError =>
  new SelectorError(`found '${literal}'${expectation}`);

class TokenReader {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  /** `in` and `notin` are ordinary words except where an operator is due. */
  peek(): Token {
    const token = this.peekOperator();
    return token.kind === "in" || token.kind === "notin" ? { kind: "identifier", literal: token.literal } : token;
  }

  peekOperator(): Token {
    return this.#tokens[this.#at] ?? { kind: "end", literal: "" };
  }

  take(): Token {
    const token = this.peek();
    this.#at++;
    return token;
  }

  takeOperator(): Token {
    const token = this.peekOperator();
    this.#at++;
    return token;
  }
}

function parseRequirement(tokens: TokenReader, path: FieldPath | undefined): LabelRequirement {
  try {
    const negated = tokens.peek().kind === "!";
    if (negated) tokens.take();
    const key = parseKey(tokens, path);
    const next = tokens.peek().kind;
    if (next === "end" || next === ",") return createRequirement(key, negated ? "!" : "exists", [], path);
    if (negated) return createRequirement(key, "!", [], path);
    const operator = parseOperator(tokens);
    const values = operator === "in" || operator === "notin" ? parseValues(tokens) : [parseExactValue(tokens)];
    return createRequirement(key, operator, values, path);
  } catch (error) {
    if (error instanceof SelectorError) throw new SelectorError(`unable to parse requirement: ${error.message}`);
    throw error;
  }
}

function parseKey(tokens: TokenReader, path: FieldPath | undefined): string {
  const token = tokens.take();
  if (token.kind !== "identifier") throw unexpected(token, ", expected: identifier");
  const wrong = checkKeyAt(token.literal, path);
  if (wrong) throw new SelectorError(fieldErrorText(wrong));
  return token.literal;
}

const operators: Readonly<Partial<Record<TokenKind, LabelOperator>>> = {
  in: "in",
  notin: "notin",
  "=": "=",
  "==": "==",
  "!=": "!=",
  ">": "gt",
  "<": "lt",
};

function parseOperator(tokens: TokenReader): LabelOperator {
  const token = tokens.takeOperator();
  const operator = operators[token.kind];
  if (operator === undefined) throw unexpected(token, ", expected: in, notin, =, ==, !=, gt, lt");
  return operator;
}

/** A missing value is the empty one. */
function parseExactValue(tokens: TokenReader): string {
  const next = tokens.peek();
  if (next.kind === "end" || next.kind === ",") return "";
  const token = tokens.take();
  if (token.kind !== "identifier") throw unexpected(token, ", expected: identifier");
  return token.literal;
}

/** A set in parentheses: sorted, without repetitions; `()` holds the empty value. */
function parseValues(tokens: TokenReader): string[] {
  const open = tokens.take();
  if (open.kind !== "(") throw unexpected(open, " expected: '('");
  const first = tokens.peek();
  if (first.kind === ")") {
    tokens.take();
    return [""];
  }
  if (first.kind !== "identifier" && first.kind !== ",") throw unexpected(first, ", expected: ',', ')' or identifier");
  const values = parseIdentifiers(tokens);
  // Upstream reports the first value here, not what it found.
  if (tokens.take().kind !== ")") throw unexpected(first, ", expected: ')'");
  return [...values].sort(compareUtf8);
}

function parseIdentifiers(tokens: TokenReader): Set<string> {
  const values = new Set<string>();
  for (;;) {
    const token = tokens.take();
    const next = tokens.peek();
    if (token.kind === "identifier") {
      values.add(token.literal);
      if (next.kind === ")") return values;
      if (next.kind !== ",") throw unexpected(next, ", expected: ',' or ')'");
    } else if (token.kind === ",") {
      if (values.size === 0) values.add("");
      if (next.kind === ")" || next.kind === ",") values.add("");
      if (next.kind === ")") return values;
    } else {
      throw unexpected(token, ", expected: ',', or identifier");
    }
  }
}
