import { Alphabet, isWord } from "./alphabet.js";
import { assertionBits, opcodes, type Program } from "./program.js";
import { hasRune } from "./rune-set.js";

/** What came before a position, as far as assertions ask. */
const before = { begin: 1, newline: 2, word: 4 } as const;

/** A set of places in the program, before the assertions of this position are looked at. */
interface State {
  readonly places: Int32Array;
  readonly context: number;
  /** By letter; undefined where nobody came that way yet. */
  readonly next: (State | undefined)[];
}

const matched: State = { places: new Int32Array(), context: 0, next: [] };
const dead: State = { places: new Int32Array(), context: 0, next: [] };

/** How many transitions an automaton remembers before it forgets all and starts over. */
const mostCells = 500_000;

/**
 * Finds whether a text holds a match, in time linear in its length: a deterministic automaton, made as texts need it.
 * It remembers states up to a bound, so that no expression can fill the memory.
 */
export class Automaton {
  readonly #program: Program;
  readonly #alphabet: Alphabet;
  /** Letters, and the end of the text. */
  readonly #width: number;
  readonly #wantsContext: number;
  #states = new Map<string, State>();
  readonly #initial: State;
  /** When each place was last visited, so that no list needs clearing. */
  readonly #visited: Int32Array;
  #visit = 0;

  constructor(program: Program) {
    this.#program = program;
    this.#alphabet = new Alphabet(program);
    this.#width = this.#alphabet.size + 1;
    this.#visited = new Int32Array(program.op.length);
    const { assertions } = program;
    const lines = assertions & (assertionBits.beginLine | assertionBits.endLine);
    const words = assertions & (assertionBits.wordBoundary | assertionBits.noWordBoundary);
    this.#wantsContext = before.begin | (lines ? before.newline : 0) | (words ? before.word : 0);
    this.#initial = { places: Int32Array.of(program.start), context: before.begin, next: [] };
  }

  test(text: string): boolean {
    let state = this.#initial;
    for (let at = 0; at < text.length; ) {
      let rune = text.charCodeAt(at++);
      if (rune >= 0xd800 && rune < 0xe000) {
        rune = text.codePointAt(at - 1) as number;
        if (rune > 0xffff) at++;
        else rune = 0xfffd;
      }
      const letter = this.#alphabet.letterOf(rune);
      const next = state.next[letter] ?? this.#step(state, letter);
      if (next === matched) return true;
      if (next === dead) return false;
      state = next;
    }
    const end = this.#width - 1;
    return (state.next[end] ?? this.#step(state, end)) === matched;
  }

  #step(state: State, letter: number): State {
    const next = this.#follow(state, letter);
    state.next[letter] = next;
    return next;
  }

  /** Where all places of a state lead on a letter. A match on the way is all that matters then. */
  #follow(state: State, letter: number): State {
    const { op, out, arg, sets, start, anchored } = this.#program;
    const atEnd = letter === this.#width - 1;
    const rune = atEnd ? -1 : this.#alphabet.sample(letter);
    const holds = assertionsAt(state.context, rune, atEnd);
    this.#visit++;
    const pending = [...state.places];
    if (!anchored && (state.context & before.begin) === 0) pending.push(start);
    const targets = new Set<number>();
    while (pending.length > 0) {
      const place = pending.pop() as number;
      if (this.#visited[place] === this.#visit) continue;
      this.#visited[place] = this.#visit;
      switch (op[place]) {
        case opcodes.match:
          return matched;
        case opcodes.runes:
          if (!atEnd && hasRune(sets[arg[place] as number] ?? [], rune)) targets.add(out[place] as number);
          break;
        case opcodes.split:
          pending.push(out[place] as number, arg[place] as number);
          break;
        case opcodes.assert:
          if ((holds & (arg[place] as number)) !== 0) pending.push(out[place] as number);
          break;
        default:
          pending.push(out[place] as number);
      }
    }
    if (atEnd || (targets.size === 0 && anchored)) return dead;
    const context = ((rune === 10 ? before.newline : 0) | (isWord(rune) ? before.word : 0)) & this.#wantsContext;
    return this.#intern(Int32Array.from(targets).sort(), context);
  }

  #intern(places: Int32Array, context: number): State {
    const key = `${context}:${places.join()}`;
    const known = this.#states.get(key);
    if (known !== undefined) return known;
    if ((this.#states.size + 1) * this.#width > mostCells && this.#states.size > 8) {
      this.#states = new Map();
      this.#initial.next.length = 0;
    }
    const state: State = { places, context, next: [] };
    this.#states.set(key, state);
    return state;
  }
}

/** Which assertions hold between what came before and the next character. */
export function assertionsAt(context: number, next: number, atEnd: boolean): number {
  const boundary = ((context & before.word) !== 0) !== (!atEnd && isWord(next));
  let bits: number = boundary ? assertionBits.wordBoundary : assertionBits.noWordBoundary;
  if (context & before.begin) bits |= assertionBits.beginText | assertionBits.beginLine;
  if (context & before.newline) bits |= assertionBits.beginLine;
  if (atEnd) bits |= assertionBits.endText | assertionBits.endLine;
  else if (next === 10) bits |= assertionBits.endLine;
  return bits;
}

/** The context behind a character; -1 for the beginning of the text. */
export const contextAfter = (rune: number): number =>
  rune < 0 ? before.begin : (rune === 10 ? before.newline : 0) | (isWord(rune) ? before.word : 0);
