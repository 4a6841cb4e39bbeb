import { pairsOf, type RuneSet, runeSet } from "./rune-set.js";
import { isAssigned } from "./unicode-ranges.js";

/** Cased letters, in order, each with all that equal it when case does not count (itself included). Made at first use. */
let orbits: { readonly runes: readonly number[]; readonly of: ReadonlyMap<number, readonly number[]> } | undefined;

/** Letters equal to `rune` when case does not count: K, k and the Kelvin sign. The smallest is first. */
export const orbitOf = (rune: number): readonly number[] =>
  rune < 128 ? asciiOrbit(rune) : (getOrbits().of.get(rune) ?? [rune]);

/** Nearly all patterns need no more than this, and so never make the table. */
function asciiOrbit(rune: number): readonly number[] {
  const lower = rune | 0x20;
  if (lower < 0x61 || lower > 0x7a) return [rune];
  const pair = [lower - 0x20, lower];
  if (lower === 0x6b) return [...pair, 0x212a]; // the Kelvin sign
  return lower === 0x73 ? [...pair, 0x17f] : pair; // the long s
}

/** The set with everything that equals one of its members when case does not count. */
export function foldSet(set: RuneSet): RuneSet {
  const pairs = pairsOf(set);
  if ((set.at(-1) ?? 0) < 128) return foldAscii(pairs);
  const { runes, of } = getOrbits();
  const added: [number, number][] = [];
  for (const [first, last] of pairs) {
    for (let i = firstAtLeast(runes, first); i < runes.length && (runes[i] as number) <= last; i++) {
      for (const other of of.get(runes[i] as number) ?? [])
        if (other < first || other > last) added.push([other, other]);
    }
  }
  return added.length === 0 ? set : runeSet([...pairs, ...added]);
}

function foldAscii(pairs: readonly [number, number][]): RuneSet {
  const folded: [number, number][] = [...pairs];
  for (const [first, last] of pairs)
    for (let rune = first; rune <= last; rune++) for (const other of asciiOrbit(rune)) folded.push([other, other]);
  return runeSet(folded);
}

function firstAtLeast(sorted: readonly number[], least: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

function getOrbits(): NonNullable<typeof orbits> {
  orbits ??= makeOrbits();
  return orbits;
}

/** I with a dot and i without one fold only in Turkish. */
const turkish: ReadonlySet<number> = new Set([0x130, 0x131]);

/** Where letters with two cases are. */
const cased: RuneSet = [
  0x41, 0x24ff, 0x2c00, 0x2dff, 0xa640, 0xa7ff, 0xab30, 0xabbf, 0xff21, 0xff5a, 0x1_0400, 0x1_05ff, 0x1_0c80, 0x1_0cff,
  0x1_18a0, 0x1_18df, 0x1_6e40, 0x1_6e7f, 0x1_e900, 0x1_e943,
];

function makeOrbits(): NonNullable<typeof orbits> {
  const groups = new Map<number, Set<number>>();
  const groupOf = (rune: number): Set<number> =>
    groups.get(rune) ?? groups.set(rune, new Set([rune])).get(rune) ?? new Set();
  for (const [first, last] of pairsOf(cased)) {
    for (let rune = first; rune <= last; rune++) {
      if (!isAssigned(rune)) continue;
      const char = String.fromCodePoint(rune);
      for (const other of [char.toLowerCase(), char.toUpperCase()]) {
        const code = other.codePointAt(0) ?? rune;
        // A letter whose other case is several letters (ß, SS) has none of its own.
        if (
          String.fromCodePoint(code) !== other ||
          code === rune ||
          turkish.has(rune) ||
          turkish.has(code) ||
          !isAssigned(code)
        )
          continue;
        const merged = new Set([...groupOf(rune), ...groupOf(code)]);
        for (const member of merged) groups.set(member, merged);
      }
    }
  }
  const of = new Map<number, readonly number[]>();
  for (const group of new Set(groups.values())) {
    const members = [...group].sort((a, b) => a - b);
    if (members.length > 1) for (const member of members) of.set(member, members);
  }
  return { of, runes: [...of.keys()].sort((a, b) => a - b) };
}
