import { assigned } from "./gen/unicode-15.js";
import { hasRune, intersectionOf, negate, pairsOf, type RuneSet, runeSet, unionOf } from "./rune-set.js";

/**
 * Go knows Unicode 15; the platform may know more. What Go does not know yet is left out, so that a pattern means the
 * same on every platform.
 */
const assignedSet: RuneSet = readAssigned();

/** Gaps and lengths, alternately, in base 36. */
function readAssigned(): RuneSet {
  const set: number[] = [];
  let next = 0;
  for (const [i, text] of assigned.split(" ").entries()) {
    const size = Number.parseInt(text, 36);
    if (i % 2 === 0) next += size;
    else {
      set.push(next, next + size - 1);
      next += size;
    }
  }
  return set;
}

export const isAssigned = (rune: number): boolean => hasRune(assignedSet, rune);
export const assignedRunes = (): RuneSet => assignedSet;

/** Ideographs, syllables and private characters: in each of these ranges one stands for all. Most characters are here. */
const uniform: RuneSet = [
  0x3400, 0x4dbf, 0x4e00, 0x9fff, 0xac00, 0xd7a3, 0xe000, 0xf8ff, 0x1_7000, 0x1_87f7, 0x2_0000, 0x2_a6df, 0x2_a700,
  0x2_b739, 0x2_b740, 0x2_b81d, 0x2_b820, 0x2_cea1, 0x2_ceb0, 0x2_ebe0, 0x3_0000, 0x3_134a, 0x3_1350, 0x3_23af,
  0xf_0000, 0xf_fffd, 0x10_0000, 0x10_fffd,
];

/** A run of characters as a text, all of them one unit long or all of them two. */
interface Piece {
  readonly start: number;
  readonly text: string;
  readonly units: 1 | 2;
}

/** All the other characters; made at first use. */
let pieces: readonly Piece[] | undefined;

function makePieces(): Piece[] {
  const others = intersectionOf(assignedSet, negate(unionOf([uniform, [0xd800, 0xdfff]])));
  return [
    ...pairsOf(intersectionOf(others, [0, 0xffff])),
    ...pairsOf(intersectionOf(others, [0x1_0000, 0x10_ffff])),
  ].map(([first, last]) => ({
    start: first,
    text: String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, i) => first + i)),
    units: first > 0xffff ? 2 : 1,
  }));
}

/** All characters that a class of the platform's own regular expressions matches, as far as Go knows them. A few milliseconds. */
export function rangesMatching(property: string): RuneSet {
  pieces ??= makePieces();
  const runs = new RegExp(`${property}+`, "gu");
  const whole = new RegExp(`^${property}$`, "u");
  const pairs = pairsOf(uniform).filter(([first]) => whole.test(String.fromCodePoint(first)));
  for (const { start, text, units } of pieces) {
    for (const match of text.matchAll(runs)) {
      const first = start + match.index / units;
      pairs.push([first, first + match[0].length / units - 1]);
    }
  }
  return runeSet(pairs);
}
