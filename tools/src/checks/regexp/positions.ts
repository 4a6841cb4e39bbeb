import type { PatternNode } from "./parse-pattern.js";
import { anyCharacter, endOfText, type SymbolSet, symbolsOf } from "./symbols.js";

/** A place in a pattern where one character is consumed, and where the matcher may go on from it. */
export interface Position {
  readonly symbols: SymbolSet;
  /** The number of ways, counted to two, without consuming anything, to each position that may be next. */
  readonly next: Map<number, number>;
  /** The match may end right behind it, whatever follows in the text: the matcher has no reason to come back. */
  mayEnd: boolean;
}

export interface PositionGraph {
  readonly positions: readonly Position[];
  /** Stands for the characters that a search skips before it tries the pattern; undefined where it tries only once. */
  readonly skipped: number | undefined;
  /** Anything that this analysis cannot follow: a back reference, a repetition inside a lookbehind. */
  readonly unknown: string | undefined;
}

/** Repetitions up to this often are spelled out; beyond it they count as without end. */
const spelledOut = 4;

const lineBreaks = symbolsOf("[\\n\\r\\u2028\\u2029]", "");

type Step =
  | { readonly kind: "consume"; readonly position: number }
  | { readonly kind: "split"; readonly to: number[] }
  | { readonly kind: "start"; readonly to: number[] }
  /** Consumes nothing and may fail: a word boundary, a lookaround. */
  | { readonly kind: "condition"; readonly to: number[] }
  | { readonly kind: "accept" }
  | { readonly kind: "fail" };

class Builder {
  readonly steps: Step[] = [{ kind: "accept" }];
  readonly symbols: SymbolSet[] = [];
  readonly after: number[] = [];
  readonly flags: string;
  unknown: string | undefined;

  constructor(flags: string) {
    this.flags = flags;
  }

  add(step: Step): number {
    return this.steps.push(step) - 1;
  }

  consume(symbols: SymbolSet, next: number): number {
    this.after.push(next);
    return this.add({ kind: "consume", position: this.symbols.push(symbols) - 1 });
  }

  /** The step with which `node` begins, where `next` follows it. */
  build(node: PatternNode, next: number): number {
    switch (node.kind) {
      case "character":
        return this.consume(symbolsOf(node.atom, this.flags), next);
      case "sequence":
        return node.parts.reduceRight((behind, part) => this.build(part, behind), next);
      case "choice":
        return this.add({ kind: "split", to: node.branches.map((branch) => this.build(branch, next)) });
      case "repeat":
        return this.repeat(node, next);
      case "start":
        return this.add({ kind: "start", to: [next] });
      case "end":
        return this.consume(endOfText, next);
      case "boundary":
        return this.add({ kind: "condition", to: [next] });
      case "ahead":
        // The body is tried and left; what it consumed counts, and then the matcher goes on from where it stood.
        return this.add({ kind: "condition", to: [this.build(node.body, this.add({ kind: "fail" })), next] });
      case "behind":
        if (hasEndlessRepeat(node.body)) this.unknown = "a repetition without end inside a lookbehind";
        return this.add({ kind: "condition", to: [next] });
      case "reference":
        this.unknown = "a back reference";
        return next;
    }
  }

  repeat({ body, least, most }: Extract<PatternNode, { kind: "repeat" }>, next: number): number {
    const isLoop = most > spelledOut;
    let entry = next;
    if (isLoop) {
      const loop: { kind: "split"; to: number[] } = { kind: "split", to: [next] };
      entry = this.add(loop);
      loop.to.unshift(this.build(body, entry));
    } else {
      for (let optional = most - least; optional > 0; optional--)
        entry = this.add({ kind: "split", to: [this.build(body, entry), next] });
    }
    for (let copies = Math.min(least, spelledOut); copies > 0; copies--) entry = this.build(body, entry);
    return entry;
  }
}

const hasEndlessRepeat = (node: PatternNode): boolean => {
  if (node.kind === "repeat") return node.most > spelledOut || hasEndlessRepeat(node.body);
  if (node.kind === "sequence") return node.parts.some(hasEndlessRepeat);
  if (node.kind === "choice") return node.branches.some(hasEndlessRepeat);
  return "body" in node && hasEndlessRepeat(node.body);
};

export function positionsOf(pattern: PatternNode, flags: string): PositionGraph {
  const builder = new Builder(flags);
  const first = builder.build(pattern, 0);
  const isMultiline = flags.includes("m");

  const closure = (from: number, atStart: boolean): { next: Map<number, number>; mayEnd: boolean } => {
    const next = new Map<number, number>();
    let mayEnd = false;
    const open = new Set<number>();
    let visits = 0;
    const visit = (at: number, isSure: boolean): void => {
      if (open.has(at) || ++visits > 100_000) return;
      const step = builder.steps[at]!;
      if (step.kind === "accept") mayEnd ||= isSure;
      else if (step.kind === "consume") next.set(step.position, Math.min(2, (next.get(step.position) ?? 0) + 1));
      else if (step.kind === "split" || step.kind === "condition" || (step.kind === "start" && atStart)) {
        open.add(at);
        for (const to of step.to) visit(to, isSure && step.kind !== "condition");
        open.delete(at);
      }
    };
    visit(from, true);
    return { next, mayEnd };
  };

  const positions: Position[] = builder.symbols.map((symbols, index) => ({
    symbols,
    ...closure(builder.after[index]!, isMultiline && (symbols & lineBreaks) !== 0n),
  }));
  markSure(positions);
  if (flags.includes("y")) return { positions, skipped: undefined, unknown: builder.unknown };
  const { next } = closure(first, false);
  const lineStart = isMultiline ? closure(first, true).next : undefined;
  if (next.size === 0 && lineStart === undefined) return { positions, skipped: undefined, unknown: builder.unknown };
  const skipped = positions.length;
  positions.push({ symbols: anyCharacter, next: next.set(skipped, 1), mayEnd: false });
  if (lineStart !== undefined) {
    positions.push({ symbols: lineBreaks, next: lineStart, mayEnd: false });
    next.set(skipped + 1, 1);
  }
  return { positions, skipped, unknown: builder.unknown };
}

/** A position from which every text is matched to some end, as behind `[^]*$`, is one behind which the match may end. */
function markSure(positions: readonly Position[]): void {
  const sure = new Set(positions);
  const isSure = ({ mayEnd, next }: Position): boolean => {
    if (mayEnd) return true;
    let covered = 0n;
    for (const to of next.keys()) if (sure.has(positions[to]!)) covered |= positions[to]!.symbols;
    return covered === (anyCharacter | endOfText);
  };
  for (let before = -1; before !== sure.size; ) {
    before = sure.size;
    for (const position of sure) if (!isSure(position)) sure.delete(position);
  }
  for (const position of sure) position.mayEnd = true;
}
