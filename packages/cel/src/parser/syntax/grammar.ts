import { type TokenKind } from "../token.js";
import {
  buildRule,
  choice,
  optional,
  type Part,
  type RuleName,
  repeat,
  repeatOnce,
  rule,
  type State,
  sequence,
  token,
} from "./network.js";

/** A list with commas between: `first (',' next)*`. */
const separated = (decision: string, part: Part): Part => sequence(part, repeat(decision, sequence(token(","), part)));

/** Upstream's grammar, with left recursion turned into loops as ANTLR does it. */
const rules: Readonly<Record<RuleName, Part>> = {
  start: sequence(rule("expr"), token("EOF")),
  expr: sequence(
    rule("conditionalOr"),
    optional(sequence(token("?"), rule("conditionalOr"), token(":"), rule("expr"))),
  ),
  conditionalOr: sequence(rule("conditionalAnd"), repeat("first", sequence(token("||"), rule("conditionalAnd")))),
  conditionalAnd: sequence(rule("relation"), repeat("first", sequence(token("&&"), rule("relation")))),
  relation: sequence(
    rule("calc"),
    repeat("relation", sequence(token("<", "<=", ">=", ">", "==", "!=", "in"), rule("relation", 2))),
  ),
  calc: sequence(
    rule("unary"),
    repeat("calc", sequence(token("*", "/", "%"), rule("calc", 3)), sequence(token("+", "-"), rule("calc", 2))),
  ),
  unary: choice(
    "unary",
    rule("member"),
    sequence(repeatOnce("first", token("!")), rule("member")),
    sequence(repeatOnce("minus", token("-")), rule("member")),
  ),
  member: sequence(
    rule("primary"),
    repeat(
      "member",
      sequence(token("."), optional(token("?")), rule("escapeIdent")),
      sequence(token("."), token("IDENTIFIER"), token("("), optional(rule("exprList")), token(")")),
      sequence(token("["), optional(token("?")), rule("expr"), token("]")),
    ),
  ),
  primary: choice(
    "primary",
    sequence(optional(token(".")), token("IDENTIFIER")),
    sequence(optional(token(".")), token("IDENTIFIER"), token("("), optional(rule("exprList")), token(")")),
    sequence(token("("), rule("expr"), token(")")),
    sequence(token("["), optional(rule("listInit")), optional(token(",")), token("]")),
    sequence(token("{"), optional(rule("mapInitializerList")), optional(token(",")), token("}")),
    sequence(
      optional(token(".")),
      token("IDENTIFIER"),
      repeat("first", sequence(token("."), token("IDENTIFIER"))),
      token("{"),
      optional(rule("fieldInitializerList")),
      optional(token(",")),
      token("}"),
    ),
    rule("literal"),
  ),
  exprList: separated("first", rule("expr")),
  listInit: separated("trailingComma", rule("optExpr")),
  fieldInitializerList: separated("trailingComma", sequence(rule("optField"), token(":"), rule("expr"))),
  optField: sequence(optional(token("?")), rule("escapeIdent")),
  mapInitializerList: separated("trailingComma", sequence(rule("optExpr"), token(":"), rule("expr"))),
  escapeIdent: choice("token", token("IDENTIFIER"), token("ESC_IDENTIFIER")),
  optExpr: sequence(optional(token("?")), rule("expr")),
  literal: choice(
    "literal",
    sequence(optional(token("-")), token("NUM_INT")),
    token("NUM_UINT"),
    sequence(optional(token("-")), token("NUM_FLOAT")),
    token("STRING"),
    token("BYTES"),
    token("true"),
    token("false"),
    token("null"),
  ),
};

/** Rules that call themselves from the left: each of their operators counts as a level of nesting. */
export const leftRecursive: ReadonlySet<RuleName> = new Set(["relation", "calc", "member"]);

export const ruleStarts = Object.fromEntries(
  Object.entries(rules).map(([name, body]) => [name, buildRule(body)]),
) as Readonly<Record<RuleName, State>>;

/** Tokens that may come next within a rule, and whether the rule may end instead. */
export interface NextTokens {
  readonly tokens: ReadonlySet<TokenKind>;
  readonly canEnd: boolean;
}

const known = new Map<State, NextTokens>();

export function nextTokens(state: State): NextTokens {
  let next = known.get(state);
  if (next === undefined) {
    const tokens = new Set<TokenKind>();
    next = { tokens, canEnd: collect(state, tokens, new Set()) };
    known.set(state, next);
  }
  return next;
}

function collect(state: State, into: Set<TokenKind>, seen: Set<State>): boolean {
  if (seen.has(state)) return false;
  seen.add(state);
  if (state.kind === "stop") return true;
  let canEnd = false;
  for (const edge of state.edges) {
    if (edge.tokens !== undefined) for (const one of edge.tokens) into.add(one);
    // No rule is empty: what follows a called rule does not come first.
    else if (edge.rule !== undefined) collect(ruleStarts[edge.rule], into, seen);
    else if (collect(edge.to, into, seen)) canEnd = true;
  }
  return canEnd;
}
