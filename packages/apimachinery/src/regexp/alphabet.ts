import { assertionBits, type Program } from "./program.js";
import { pairsOf } from "./rune-set.js";

export const isWord = (rune: number): boolean =>
  (rune >= 0x61 && rune <= 0x7a) || (rune >= 0x41 && rune <= 0x5a) || (rune >= 0x30 && rune <= 0x39) || rune === 0x5f;

/**
 * Characters that no part of a program distinguishes are one letter to its automaton, which so has few letters.
 * The letter after the last stands for the end of the text.
 */
export class Alphabet {
  /** The first character of each letter, in order. */
  readonly #firsts: Int32Array;
  readonly #ascii = new Uint16Array(128);

  constructor({ sets, assertions }: Pick<Program, "sets" | "assertions">) {
    const firsts = new Set([0]);
    const separate = (first: number, last: number): void => {
      firsts.add(first);
      if (last < 0x10_ffff) firsts.add(last + 1);
    };
    for (const set of new Set(sets)) for (const [first, last] of pairsOf(set)) separate(first, last);
    if (assertions & (assertionBits.beginLine | assertionBits.endLine)) separate(10, 10);
    if (assertions & (assertionBits.wordBoundary | assertionBits.noWordBoundary)) {
      for (const [first, last] of [
        [0x30, 0x39],
        [0x41, 0x5a],
        [0x5f, 0x5f],
        [0x61, 0x7a],
      ] as const)
        separate(first, last);
    }
    this.#firsts = Int32Array.from(firsts).sort();
    for (let rune = 0; rune < 128; rune++) this.#ascii[rune] = this.#search(rune);
  }

  get size(): number {
    return this.#firsts.length;
  }

  letterOf(rune: number): number {
    return rune < 128 ? (this.#ascii[rune] as number) : this.#search(rune);
  }

  /** A character that is this letter. */
  sample(letter: number): number {
    return this.#firsts[letter] as number;
  }

  #search(rune: number): number {
    let low = 0;
    let high = this.#firsts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#firsts[middle] as number) <= rune) low = middle;
      else high = middle;
    }
    return low;
  }
}
