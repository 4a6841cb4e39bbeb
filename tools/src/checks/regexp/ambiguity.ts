import type { PatternNode } from "./parse-pattern.js";
import { type Position, type PositionGraph, positionsOf } from "./positions.js";
import { exampleOf } from "./symbols.js";

/**
 * How a backtracking matcher's work may grow with the text. It is decided by the ambiguity of the pattern's automaton (Weber and Seidl,
 * "On the degree of ambiguity of finite automata", 1991): exponential where one state has two ways back to itself over the same word,
 * polynomial where one loop reaches another over a word that both may repeat. A search without an anchor is a loop of its own in front.
 */
export type Growth =
  | { readonly kind: "linear" }
  | { readonly kind: "polynomial" | "exponential"; readonly because: string }
  | { readonly kind: "unknown"; readonly because: string };

export function growthOf(pattern: PatternNode, flags: string): Growth {
  const graph = positionsOf(pattern, flags);
  if (graph.unknown !== undefined) return { kind: "unknown", because: graph.unknown };
  const loops = loopsOf(graph.positions);
  return findExponential(graph, loops) ?? findPolynomial(graph, loops) ?? { kind: "linear" };
}

/**
 * For each position the loop (strongly connected component) that it is in, or -1 where it cannot be reached from itself. Positions
 * behind which the match may end are left out: a matcher that has passed one ends there in place of failing.
 */
function loopsOf(positions: readonly Position[]): number[] {
  const reach = positions.map((_, from) => {
    const seen = new Set<number>();
    const pending = positions[from]!.mayEnd ? [] : [from];
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      for (const to of positions[at]!.next.keys()) {
        if (seen.has(to) || positions[to]!.mayEnd) continue;
        seen.add(to);
        pending.push(to);
      }
    }
    return seen;
  });
  return positions.map((_, at) => {
    if (!reach[at]!.has(at)) return -1;
    return positions.findIndex((_, other) => reach[at]!.has(other) && reach[other]!.has(at));
  });
}

const overlap = (positions: readonly Position[], ...at: number[]): bigint =>
  at.map((index) => positions[index]!.symbols).reduce((both, symbols) => both & symbols);

/** Two ways from a position back to itself over the same word. */
function findExponential({ positions, skipped }: PositionGraph, loops: readonly number[]): Growth | undefined {
  for (const [start, loop] of loops.entries()) {
    if (loop < 0 || start === skipped) continue;
    const inside = (at: number): boolean => loops[at] === loop;
    // Pairs of positions that two walks over the same word may hold, and whether the two walks have differed yet.
    const seen = new Set<string>();
    const pending: [number, number, boolean][] = [[start, start, false]];
    for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
      const [one, other, differed] = pair;
      for (const [a, waysA] of positions[one]!.next) {
        if (!inside(a)) continue;
        for (const [b] of positions[other]!.next) {
          if (!inside(b) || overlap(positions, a, b) === 0n) continue;
          const differs = differed || a !== b || (one === other && waysA > 1);
          if (differs && a === start && b === start)
            return {
              kind: "exponential",
              because: `a repetition can take the same text in two ways (${exampleOf(positions[start]!.symbols)} repeated)`,
            };
          const key = `${a} ${b} ${differs}`;
          if (seen.has(key)) continue;
          seen.add(key);
          pending.push([a, b, differs]);
        }
      }
    }
  }
  return undefined;
}

/** One loop, then another, over a word that both may repeat. */
function findPolynomial({ positions, skipped }: PositionGraph, loops: readonly number[]): Growth | undefined {
  for (const [second, secondLoop] of loops.entries()) {
    if (secondLoop < 0 || second === skipped) continue;
    for (const [first, firstLoop] of loops.entries()) {
      if (firstLoop < 0 || first === second) continue;
      if (!reachesOverSameWord(positions, loops, first, second)) continue;
      const example = exampleOf(overlap(positions, second));
      const because =
        first === skipped
          ? `the pattern is tried again at every position of a long repetition (${example} repeated, then something else)`
          : `two repetitions that overlap can share the same text in many ways (${example} repeated, then something else)`;
      return { kind: "polynomial", because };
    }
  }
  return undefined;
}

/** Whether some word leads from `first` to itself, from `first` to `second`, and from `second` to itself. */
function reachesOverSameWord(
  positions: readonly Position[],
  loops: readonly number[],
  first: number,
  second: number,
): boolean {
  const size = positions.length;
  const seen = new Set<number>();
  const pending: [number, number, number][] = [[first, first, second]];
  for (let triple = pending.pop(); triple !== undefined; triple = pending.pop()) {
    const [a, b, c] = triple;
    for (const nextA of positions[a]!.next.keys()) {
      if (loops[nextA] !== loops[first]) continue;
      for (const nextC of positions[c]!.next.keys()) {
        if (loops[nextC] !== loops[second]) continue;
        const both = overlap(positions, nextA, nextC);
        if (both === 0n) continue;
        for (const nextB of positions[b]!.next.keys()) {
          if ((both & positions[nextB]!.symbols) === 0n || positions[nextB]!.mayEnd) continue;
          if (nextA === first && nextB === second && nextC === second) return true;
          const key = (nextA * size + nextB) * size + nextC;
          if (seen.has(key)) continue;
          seen.add(key);
          pending.push([nextA, nextB, nextC]);
        }
      }
    }
  }
  return false;
}
