import { foldSet } from "./case-fold.js";
import { negate, type RuneSet, unionOf } from "./rune-set.js";
import { RegexpError } from "./syntax.js";
import { isNeverFolded, unicodeClass } from "./unicode-class.js";

const digit: RuneSet = [0x30, 0x39];
const word: RuneSet = [0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a];
const perlSpace: RuneSet = [9, 10, 12, 13, 32, 32];

const perlClasses: ReadonlyMap<string, RuneSet> = new Map([
  ["d", digit],
  ["s", perlSpace],
  ["w", word],
  ["D", negate(digit)],
  ["S", negate(perlSpace)],
  ["W", negate(word)],
]);

const posixClasses: ReadonlyMap<string, RuneSet> = new Map<string, RuneSet>([
  ["alnum", [0x30, 0x39, 0x41, 0x5a, 0x61, 0x7a]],
  ["alpha", [0x41, 0x5a, 0x61, 0x7a]],
  ["ascii", [0, 0x7f]],
  ["blank", [9, 9, 32, 32]],
  ["cntrl", [0, 0x1f, 0x7f, 0x7f]],
  ["digit", digit],
  ["graph", [0x21, 0x7e]],
  ["lower", [0x61, 0x7a]],
  ["print", [0x20, 0x7e]],
  ["punct", [0x21, 0x2f, 0x3a, 0x40, 0x5b, 0x60, 0x7b, 0x7e]],
  ["space", [9, 13, 32, 32]],
  ["upper", [0x41, 0x5a]],
  ["word", word],
  ["xdigit", [0x30, 0x39, 0x41, 0x46, 0x61, 0x66]],
]);

interface Read {
  readonly set: RuneSet;
  /** The position behind it. */
  readonly end: number;
}

/** Case is folded before a class is negated: `(?i)[^k]` excludes the Kelvin sign, too. */
function fold(set: RuneSet, foldCase: boolean, negated: boolean): RuneSet {
  const folded = foldCase ? foldSet(set) : set;
  return negated ? negate(folded) : folded;
}

/** A class in brackets at `start`. @throws RegexpError */
export function parseClass(source: string, start: number, foldCase: boolean): Read {
  const negated = source.charAt(start + 1) === "^";
  let at = start + (negated ? 2 : 1);
  const sets: RuneSet[] = [];
  // Without this a long row of `[:` would be searched to its end again and again.
  const lastPosixEnd = source.lastIndexOf(":]");
  // A bracket that comes first stands for itself.
  for (let first = true; first || source.charAt(at) !== "]"; first = false) {
    const group =
      (at < lastPosixEnd ? parsePosix(source, at, foldCase) : undefined) ?? parseGroupEscape(source, at, foldCase);
    if (group !== undefined) {
      sets.push(group.set);
      at = group.end;
      continue;
    }
    const range = parseRange(source, at, source.slice(start));
    sets.push(fold(range.set, foldCase, false));
    at = range.end;
  }
  const set = unionOf(sets);
  return { set: negated ? negate(set) : set, end: at + 1 };
}

function parsePosix(source: string, at: number, foldCase: boolean): Read | undefined {
  if (!source.startsWith("[:", at) || source.length <= at + 2) return undefined;
  const close = source.indexOf(":]", at + 2);
  if (close < 0) return undefined;
  const name = source.slice(at + 2, close);
  const negated = name.startsWith("^");
  const set = posixClasses.get(negated ? name.slice(1) : name);
  if (set === undefined) throw new RegexpError("invalid character class range", source.slice(at, close + 2));
  return { set: fold(set, foldCase, negated), end: close + 2 };
}

/** `\d`, `\W`, `\pL`, `\p{^Greek}`; undefined where there is none at `at`. @throws RegexpError */
export function parseGroupEscape(source: string, at: number, foldCase: boolean): Read | undefined {
  const letter = source.charAt(at + 1);
  if (source.charAt(at) !== "\\" || letter === "") return undefined;
  if (letter === "p" || letter === "P") return parseUnicode(source, at, foldCase);
  const set = perlClasses.get(letter.toLowerCase());
  if (set === undefined || !perlClasses.has(letter)) return undefined;
  return { set: fold(set, foldCase, letter !== letter.toLowerCase()), end: at + 2 };
}

function parseUnicode(source: string, at: number, foldCase: boolean): Read {
  const rest = source.slice(at);
  let sequence: string;
  let name: string;
  if (rest.startsWith("{", 2)) {
    const close = rest.indexOf("}");
    if (close < 0) throw new RegexpError("invalid character class range", rest);
    sequence = rest.slice(0, close + 1);
    name = rest.slice(3, close);
  } else {
    const code = rest.codePointAt(2);
    name = code === undefined ? "" : String.fromCodePoint(code);
    sequence = rest.slice(0, 2 + name.length);
  }
  const inverted = name.startsWith("^");
  const bare = inverted ? name.slice(1) : name;
  const set = unicodeClass(bare);
  if (set === undefined) throw new RegexpError("invalid character class range", sequence);
  const negated = (rest.charAt(1) === "P") !== inverted;
  return { set: fold(set, foldCase && !isNeverFolded(bare), negated), end: at + sequence.length };
}

function parseRange(source: string, at: number, whole: string): Read {
  const { rune: first, end } = parseClassRune(source, at, whole);
  // A hyphen before the closing bracket stands for itself.
  if (source.charAt(end) !== "-" || source.charAt(end + 1) === "]" || end + 1 >= source.length)
    return { set: [first, first], end };
  const { rune: last, end: behind } = parseClassRune(source, end + 1, whole);
  if (last < first) throw new RegexpError("invalid character class range", source.slice(at, behind));
  return { set: [first, last], end: behind };
}

function parseClassRune(source: string, at: number, whole: string): { rune: number; end: number } {
  const rune = source.codePointAt(at);
  if (rune === undefined) throw new RegexpError("missing closing ]", whole);
  return rune === 0x5c ? parseEscape(source, at) : { rune, end: at + (rune > 0xffff ? 2 : 1) };
}

const controls: ReadonlyMap<string, number> = new Map([
  ["a", 7],
  ["f", 12],
  ["n", 10],
  ["r", 13],
  ["t", 9],
  ["v", 11],
]);

/** The character that an escape at `at` stands for. @throws RegexpError */
export function parseEscape(source: string, at: number): { rune: number; end: number } {
  const rest = source.slice(at, at + 24);
  const code = rest.codePointAt(1);
  if (code === undefined) throw new RegexpError("trailing backslash at end of expression", "");
  const char = String.fromCodePoint(code);
  const control = controls.get(char);
  if (control !== undefined) return { rune: control, end: at + 2 };
  const [octal] = /^(?:0[0-7]{0,2}|[1-7][0-7]{1,2})/.exec(rest.slice(1)) ?? [];
  if (octal !== undefined) return { rune: Number.parseInt(octal, 8), end: at + 1 + octal.length };
  if (char === "x") return parseHex(source, at);
  if (code < 0x80 && !/^[A-Za-z0-9]$/.test(char)) return { rune: code, end: at + 2 };
  throw new RegexpError("invalid escape sequence", rest.slice(0, 1 + char.length));
}

/** `\x7F` or `\x{10FFFF}`. An error shows what was read before it was found. */
function parseHex(source: string, at: number): { rune: number; end: number } {
  const rest = source.slice(at);
  const wrong = (length: number): RegexpError => new RegexpError("invalid escape sequence", rest.slice(0, length));
  const widthAt = (index: number): number => ((rest.codePointAt(index) ?? 0) > 0xffff ? 2 : 1);
  if (rest.length === 2) throw wrong(2);
  if (rest.charAt(2) !== "{") {
    const [pair] = /^[0-9a-fA-F]{2}/.exec(rest.slice(2)) ?? [];
    if (pair !== undefined) return { rune: Number.parseInt(pair, 16), end: at + 4 };
    const second = 2 + widthAt(2);
    throw wrong(second + widthAt(second));
  }
  let rune = 0;
  for (let i = 3; i < rest.length; i += widthAt(i)) {
    const char = rest.charAt(i);
    if (char === "}" && i > 3) return { rune, end: at + i + 1 };
    const value = /^[0-9a-fA-F]$/.test(char) ? Number.parseInt(char, 16) : -1;
    rune = rune * 16 + value;
    if (value < 0 || rune > 0x10_ffff) throw wrong(i + widthAt(i));
  }
  throw wrong(rest.length);
}
