import { orbitOf } from "./case-fold.js";
import { parseClass, parseEscape, parseGroupEscape } from "./parse-class.js";
import { anyRune, negate, runeSet } from "./rune-set.js";
import {
  alternate,
  assertion,
  capture,
  concat,
  RegexpError,
  repeatsWithin,
  repetition,
  runes,
  type Syntax,
  unbounded,
} from "./syntax.js";

export interface Parsed {
  readonly syntax: Syntax;
  /** The names of the groups, by their number; the empty string for a group without one. The first is the whole match. */
  readonly names: readonly string[];
}

export interface Flags {
  readonly foldCase: boolean;
  readonly multiLine: boolean;
  readonly dotAll: boolean;
  readonly lazy: boolean;
}

/** A group that is still open, or the whole expression. */
interface Frame {
  readonly alternatives: Syntax[];
  /** What the current alternative holds so far. */
  parts: Syntax[];
  /** The flags to come back to when it closes. */
  readonly flags: Flags;
  /** The number of a capturing group; 0 for one that only groups. */
  readonly index: number;
}

const mostRepeats = 1000;
const mostHeight = 1000;
/** Go allows 3,355,443 instructions. That many would not be matched in any sensible time. */
const mostSize = 250_000;

/** `{3}`, `{3,}`, `{3,5}`; numbers have no leading zeros. */
const countForm = /^\{(0|[1-9][0-9]*)(?:(,)(0|[1-9][0-9]*)?)?\}/;

const notNewline = negate([10, 10]);

/** Parses what Go's regexp.Compile accepts. @throws RegexpError with Go's words */
export function parseRegexp(source: string): Parsed {
  return new Parser(source).parse();
}

class Parser {
  readonly #source: string;
  #at = 0;
  #flags: Flags = { foldCase: false, multiLine: false, dotAll: false, lazy: false };
  readonly #names = [""];
  readonly #frames: Frame[];

  constructor(source: string) {
    this.#source = source;
    this.#frames = [this.#frame(0)];
  }

  parse(): Parsed {
    /** Where the repetition right before this position began, if there was one. */
    let lastRepeat: number | undefined;
    while (this.#at < this.#source.length) {
      const start = this.#at;
      lastRepeat = this.#step(lastRepeat) ? start : undefined;
    }
    if (this.#frames.length !== 1) throw new RegexpError("missing closing )", this.#source);
    return { syntax: this.#limited(this.#close(this.#top)), names: this.#names };
  }

  get #top(): Frame {
    return this.#frames.at(-1) as Frame;
  }

  #frame(index: number): Frame {
    return { alternatives: [], parts: [], flags: this.#flags, index };
  }

  /** Reads one element; true if it was a repetition. */
  #step(lastRepeat: number | undefined): boolean {
    const char = this.#source.charAt(this.#at);
    switch (char) {
      case "(":
        this.#open();
        return false;
      case "|":
        this.#top.alternatives.push(concat(this.#top.parts));
        this.#top.parts = [];
        this.#at++;
        return false;
      case ")":
        this.#closeGroup();
        return false;
      case "^":
        return this.#single(assertion(this.#flags.multiLine ? "beginLine" : "beginText"));
      case "$":
        return this.#single(assertion(this.#flags.multiLine ? "endLine" : "endText"));
      case ".":
        return this.#single(runes(this.#flags.dotAll ? anyRune : notNewline));
      case "[": {
        const { set, end } = parseClass(this.#source, this.#at, this.#flags.foldCase);
        this.#push(runes(set));
        this.#at = end;
        return false;
      }
      case "*":
        return this.#repeat(0, unbounded, this.#at + 1, false, lastRepeat);
      case "+":
        return this.#repeat(1, unbounded, this.#at + 1, false, lastRepeat);
      case "?":
        return this.#repeat(0, 1, this.#at + 1, false, lastRepeat);
      case "{":
        return this.#counted(lastRepeat);
      case "\\":
        this.#escape();
        return false;
      default:
        this.#literal(this.#source.codePointAt(this.#at) ?? 0);
        this.#at += (this.#source.codePointAt(this.#at) ?? 0) > 0xffff ? 2 : 1;
        return false;
    }
  }

  #single(syntax: Syntax): false {
    this.#push(syntax);
    this.#at++;
    return false;
  }

  #push(syntax: Syntax): void {
    this.#top.parts.push(this.#limited(syntax));
  }

  #literal(rune: number): void {
    this.#push(runes(this.#flags.foldCase ? runeSet(orbitOf(rune).map((code) => [code, code])) : [rune, rune]));
  }

  #limited(syntax: Syntax): Syntax {
    if (syntax.size > mostSize) throw new RegexpError("expression too large", this.#source);
    if (syntax.height > mostHeight) throw new RegexpError("expression nests too deeply", this.#source);
    return syntax;
  }

  #close({ alternatives, parts }: Frame): Syntax {
    return alternate([...alternatives, concat(parts)]);
  }

  #closeGroup(): void {
    const frame = this.#frames.pop() as Frame;
    if (this.#frames.length === 0) throw new RegexpError("unexpected )", this.#source);
    const inner = this.#close(frame);
    this.#flags = frame.flags;
    this.#push(frame.index === 0 ? inner : capture(frame.index, inner));
    this.#at++;
  }

  #open(): void {
    if (this.#source.startsWith("(?", this.#at)) {
      this.#openPerl();
      return;
    }
    this.#at++;
    this.#openCapture("");
  }

  #openCapture(name: string): void {
    this.#names.push(name);
    this.#frames.push(this.#frame(this.#names.length - 1));
  }

  /** `(?P<name>`, `(?<name>`, `(?flags:` and `(?flags)`. */
  #openPerl(): void {
    const rest = this.#source.slice(this.#at);
    const [head] = /^\(\?P?</.exec(rest) ?? [];
    // A head at the very end of the expression is no name but a flag that nobody knows.
    if (head !== undefined && rest.length > head.length) {
      this.#openNamed(rest, head);
      return;
    }
    const { flags, opens, length } = readFlags(rest, this.#flags);
    this.#at += length;
    if (opens) this.#frames.push(this.#frame(0));
    this.#flags = flags;
  }

  #openNamed(rest: string, head: string): void {
    const end = rest.indexOf(">");
    if (end < 0) throw new RegexpError("invalid named capture", rest);
    const name = rest.slice(head.length, end);
    if (!/^[A-Za-z0-9_]+$/.test(name)) throw new RegexpError("invalid named capture", rest.slice(0, end + 1));
    this.#at += end + 1;
    this.#openCapture(name);
  }

  #counted(lastRepeat: number | undefined): boolean {
    const [whole, least, comma, most] = countForm.exec(this.#source.slice(this.#at)) ?? [];
    if (whole === undefined) {
      // A brace that begins no count stands for itself.
      this.#literal(0x7b);
      this.#at++;
      return false;
    }
    const min = Number(least);
    const max = comma === undefined ? min : most === undefined ? unbounded : Number(most);
    const tooMany = min > mostRepeats || (max !== unbounded && (max > mostRepeats || min > max));
    if (tooMany) throw new RegexpError("invalid repeat count", whole);
    return this.#repeat(min, max, this.#at + whole.length, true, lastRepeat);
  }

  #repeat(min: number, max: number, after: number, counted: boolean, lastRepeat: number | undefined): true {
    const start = this.#at;
    const lazyMark = this.#source.charAt(after) === "?";
    const end = lazyMark ? after + 1 : after;
    if (lastRepeat !== undefined)
      throw new RegexpError("invalid nested repetition operator", this.#source.slice(lastRepeat, end));
    const { parts } = this.#top;
    const of = parts.pop();
    if (of === undefined)
      throw new RegexpError("missing argument to repetition operator", this.#source.slice(start, end));
    const repeated = this.#limited(repetition(of, min, max, { greedy: this.#flags.lazy === lazyMark, counted }));
    if (counted && (min >= 2 || (max !== unbounded && max >= 2)) && !repeatsWithin(repeated, mostRepeats)) {
      throw new RegexpError("invalid repeat count", this.#source.slice(start, end));
    }
    parts.push(repeated);
    this.#at = end;
    return true;
  }

  #escape(): void {
    const letter = this.#source.charAt(this.#at + 1);
    switch (letter) {
      case "A":
      case "z":
      case "b":
      case "B": {
        const kinds = { A: "beginText", z: "endText", b: "wordBoundary", B: "noWordBoundary" } as const;
        this.#push(assertion(kinds[letter]));
        this.#at += 2;
        return;
      }
      case "C":
        throw new RegexpError("invalid escape sequence", "\\C");
      case "Q":
        this.#quoted();
        return;
    }
    const group = parseGroupEscape(this.#source, this.#at, this.#flags.foldCase);
    if (group !== undefined) {
      this.#push(runes(group.set));
      this.#at = group.end;
      return;
    }
    const { rune, end } = parseEscape(this.#source, this.#at);
    this.#literal(rune);
    this.#at = end;
  }

  /** `\Q…\E`: everything between stands for itself; without an end, everything to the last. */
  #quoted(): void {
    const end = this.#source.indexOf("\\E", this.#at + 2);
    const text = this.#source.slice(this.#at + 2, end < 0 ? undefined : end);
    for (const char of text) this.#literal(char.codePointAt(0) ?? 0);
    this.#at = end < 0 ? this.#source.length : end + 2;
  }
}

const flagNames: Readonly<Record<string, keyof Flags>> = { i: "foldCase", m: "multiLine", s: "dotAll", U: "lazy" };

/** Flags behind `(?`, up to a colon (a group opens) or a parenthesis. */
function readFlags(rest: string, current: Flags): { flags: Flags; opens: boolean; length: number } {
  const flags: Record<keyof Flags, boolean> = { ...current };
  let value = true;
  let seen = false;
  let length = 2;
  while (length < rest.length) {
    const char = String.fromCodePoint(rest.codePointAt(length) ?? 0);
    length += char.length;
    const name = Object.hasOwn(flagNames, char) ? flagNames[char] : undefined;
    if (name !== undefined) {
      flags[name] = value;
      seen = true;
    } else if (char === "-" && value) {
      value = false;
      seen = false;
    } else if ((char === ":" || char === ")") && (value || seen)) return { flags, opens: char === ":", length };
    else break;
  }
  throw new RegexpError("invalid or unsupported Perl syntax", rest.slice(0, length));
}
