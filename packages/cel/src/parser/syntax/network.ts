import { type TokenKind } from "../token.js";

/** Rules of upstream's grammar, by their names there. */
export type RuleName =
  | "start"
  | "expr"
  | "conditionalOr"
  | "conditionalAnd"
  | "relation"
  | "calc"
  | "unary"
  | "member"
  | "primary"
  | "exprList"
  | "listInit"
  | "fieldInitializerList"
  | "optField"
  | "mapInitializerList"
  | "escapeIdent"
  | "optExpr"
  | "literal";

/** A part of a rule. */
export type Part =
  | { readonly kind: "token"; readonly tokens: readonly TokenKind[] }
  | { readonly kind: "rule"; readonly rule: RuleName; readonly precedence: number }
  | { readonly kind: "sequence"; readonly parts: readonly Part[] }
  | { readonly kind: "choice" | "repeat"; readonly alternatives: readonly Part[]; readonly decision: string }
  | { readonly kind: "optional" | "repeatOnce"; readonly part: Part; readonly decision: string };

export const token = (...tokens: TokenKind[]): Part => ({ kind: "token", tokens });
export const rule = (name: RuleName, precedence = 0): Part => ({ kind: "rule", rule: name, precedence });
export const sequence = (...parts: Part[]): Part => ({ kind: "sequence", parts });
export const choice = (decision: string, ...alternatives: Part[]): Part => ({ kind: "choice", alternatives, decision });
/** Zero or more times. */
export const repeat = (decision: string, ...alternatives: Part[]): Part => ({ kind: "repeat", alternatives, decision });
export const optional = (part: Part, decision = "first"): Part => ({ kind: "optional", part, decision });
export const repeatOnce = (decision: string, part: Part): Part => ({ kind: "repeatOnce", part, decision });

export type StateKind =
  | "basic"
  | "blockStart"
  | "loopBlockStart"
  | "onceBlockStart"
  | "loopEntry"
  | "loopBack"
  | "onceLoopBack"
  | "stop";

/** A place in the grammar. Which ones there are follows ANTLR: error recovery depends on them. */
export interface State {
  readonly kind: StateKind;
  readonly edges: Edge[];
  /** How the edge to take is chosen, where there are several. */
  readonly decision: string;
}

export interface Edge {
  readonly to: State;
  readonly tokens?: ReadonlySet<TokenKind>;
  readonly rule?: RuleName;
  readonly precedence?: number;
}

const state = (kind: StateKind, decision = ""): State => ({ kind, edges: [], decision });

/** The states of a rule, from its first to its last. */
export function buildRule(body: Part): State {
  const first = state("basic");
  const { left, right } = build(body);
  first.edges.push({ to: left });
  right.edges.push({ to: state("stop") });
  return first;
}

interface Fragment {
  readonly left: State;
  readonly right: State;
}

function build(part: Part): Fragment {
  switch (part.kind) {
    case "token":
      return single({ tokens: new Set(part.tokens) });
    case "rule":
      return single({ rule: part.rule, precedence: part.precedence });
    case "sequence":
      return part.parts.map(build).reduce((before, after) => {
        before.right.edges.push({ to: after.left });
        return { left: before.left, right: after.right };
      });
    case "choice":
      return block(part.alternatives, state("blockStart", part.decision));
    case "optional": {
      const { left, right } = block([part.part], state("blockStart", part.decision));
      left.edges.push({ to: right });
      return { left, right };
    }
    case "repeat":
      return loop(part.alternatives, part.decision);
    case "repeatOnce": {
      const { left, right } = block([part.part], state("onceBlockStart", part.decision));
      const [back, end] = [state("onceLoopBack", part.decision), state("basic")];
      right.edges.push({ to: back });
      back.edges.push({ to: left }, { to: end });
      return { left, right: end };
    }
  }
}

function single(edge: Omit<Edge, "to">): Fragment {
  const [left, right] = [state("basic"), state("basic")];
  left.edges.push({ ...edge, to: right });
  return { left, right };
}

function block(alternatives: readonly Part[], left: State): Fragment {
  const right = state("basic");
  for (const fragment of alternatives.map(build)) {
    left.edges.push({ to: fragment.left });
    fragment.right.edges.push({ to: right });
  }
  return { left, right };
}

function loop(alternatives: readonly Part[], decision: string): Fragment {
  const [entry, back, end] = [state("loopEntry", decision), state("loopBack", decision), state("basic")];
  const { left, right } = block(alternatives, state("loopBlockStart", `${decision}.which`));
  entry.edges.push({ to: left }, { to: end });
  right.edges.push({ to: back });
  back.edges.push({ to: entry });
  return { left: entry, right: end };
}
