/**
 * A small alphabet that stands for all characters: each ASCII one, a few beyond that classes distinguish (letters, digits and marks of
 * other scripts, spaces, line separators, an astral character), and the end of the text. A set of symbols is a bit mask, and membership
 * is asked of the JavaScript engine itself, so that flags and Unicode properties need no table here.
 */
const beyondAscii = [..."\u0085\u00a0\u00b5\u00e9\u0130\u017f\u0301\u0660\u2003\u2028\u212a\u4e00\ufeff"];
const characters = [
  ...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)),
  ...beyondAscii,
  "\u{1f600}",
];

export type SymbolSet = bigint;

/** The end of the text, which `$` asks for. */
export const endOfText: SymbolSet = 1n << BigInt(characters.length);
export const anyCharacter: SymbolSet = endOfText - 1n;

const known = new Map<string, SymbolSet>();

/** The characters that one atom (a character, an escape, a class in brackets, the dot) matches under these flags. */
export function symbolsOf(atom: string, flags: string): SymbolSet {
  const relevant = flags.replaceAll(/[^iusv]/g, "");
  const key = `${relevant} ${atom}`;
  const cached = known.get(key);
  if (cached !== undefined) return cached;
  const whole = new RegExp(`^(?:${atom})$`, relevant);
  let set = 0n;
  // Without the u flag a pattern sees an astral character as two units.
  const isUnicode = /[uv]/.test(flags);
  for (const [index, character] of characters.entries())
    if (whole.test(character) || (!isUnicode && whole.test(character.charAt(0)))) set |= 1n << BigInt(index);
  known.set(key, set);
  return set;
}

/** One character of a set, as it is quoted in a message. */
export function exampleOf(set: SymbolSet): string {
  const printable = characters.findIndex((character, index) => /[!-~]/.test(character) && (set >> BigInt(index)) & 1n);
  const index = printable >= 0 ? printable : characters.findIndex((_, at) => (set >> BigInt(at)) & 1n);
  return index < 0 ? "the end" : JSON.stringify(characters[index]);
}
