import { assertionsAt, contextAfter } from "./automaton.js";
import { opcodes, type Program } from "./program.js";
import { hasRune } from "./rune-set.js";

/** Places in the program in order of preference, each with the groups found on its way. */
class Threads {
  readonly places: Int32Array;
  readonly slots: (Int32Array | undefined)[];
  readonly #index: Int32Array;
  size = 0;

  constructor(length: number) {
    this.places = new Int32Array(length);
    this.slots = [];
    this.#index = new Int32Array(length);
  }

  has(place: number): boolean {
    const at = this.#index[place] as number;
    return at < this.size && this.places[at] === place;
  }

  add(place: number): number {
    this.#index[place] = this.size;
    this.places[this.size] = place;
    this.slots[this.size] = undefined;
    return this.size++;
  }
}

/**
 * Finds the leftmost match at or behind `from`, preferring as Perl does, with all groups: [start, end, start, end, …],
 * -1 for a group without a match. All ways are followed at once, so that time grows with the text times the program.
 */
export function search(program: Program, text: string, from: number): Int32Array | undefined {
  return new Search(program, text).run(from);
}

class Search {
  readonly #program: Program;
  readonly #text: string;
  #holds = 0;

  constructor(program: Program, text: string) {
    this.#program = program;
    this.#text = text;
  }

  run(from: number): Int32Array | undefined {
    const { op, out, arg, sets, start, anchored, groups } = this.#program;
    let current = new Threads(op.length);
    let following = new Threads(op.length);
    let found: Int32Array | undefined;
    let previous = from === 0 ? -1 : this.#runeBefore(from);
    for (let at = from; ; ) {
      const atEnd = at >= this.#text.length;
      const rune = atEnd ? -1 : this.#runeAt(at);
      this.#holds = assertionsAt(contextAfter(previous), rune, atEnd);
      // A match begins here only while none is known that begins earlier.
      if (found === undefined && (!anchored || at === 0))
        this.#addAll(current, start, new Int32Array(groups * 2).fill(-1), at);
      if (current.size === 0) break;
      const width = rune > 0xffff ? 2 : 1;
      following.size = 0;
      // Threads below a match are never preferred to it.
      let matchedHere = false;
      const next = at + width;
      const nextHolds = this.#holdsAt(next, rune);
      for (let i = 0; i < current.size && !matchedHere; i++) {
        const place = current.places[i] as number;
        const slots = current.slots[i];
        if (slots === undefined) continue;
        if (op[place] === opcodes.match) {
          found = slots;
          matchedHere = true;
        } else if (!atEnd && hasRune(sets[arg[place] as number] ?? [], rune)) {
          this.#holds = nextHolds;
          this.#addAll(following, out[place] as number, slots, next);
        }
      }
      if (atEnd) break;
      [current, following] = [following, current];
      previous = rune;
      at = next;
    }
    return found;
  }

  #runeAt(at: number): number {
    const rune = this.#text.codePointAt(at) as number;
    return rune >= 0xd800 && rune < 0xe000 ? 0xfffd : rune;
  }

  #runeBefore(at: number): number {
    const unit = this.#text.charCodeAt(at - 1);
    return unit >= 0xdc00 && unit < 0xe000 && at > 1 ? this.#runeAt(at - 2) : this.#runeAt(at - 1);
  }

  #holdsAt(at: number, previous: number): number {
    const atEnd = at >= this.#text.length;
    return assertionsAt(contextAfter(previous), atEnd ? -1 : this.#runeAt(at), atEnd);
  }

  /** Adds a place and all that it leads to without reading; the preferred way first. */
  #addAll(threads: Threads, first: number, slots: Int32Array, at: number): void {
    const { op, out, arg } = this.#program;
    const pending: { place: number; slots: Int32Array }[] = [{ place: first, slots }];
    for (let entry = pending.pop(); entry !== undefined; entry = pending.pop()) {
      const { place } = entry;
      if (threads.has(place)) continue;
      const index = threads.add(place);
      switch (op[place]) {
        case opcodes.split:
          pending.push(
            { place: arg[place] as number, slots: entry.slots },
            { place: out[place] as number, slots: entry.slots },
          );
          break;
        case opcodes.capture: {
          const changed = entry.slots.slice();
          changed[arg[place] as number] = at;
          pending.push({ place: out[place] as number, slots: changed });
          break;
        }
        case opcodes.assert:
          if ((this.#holds & (arg[place] as number)) !== 0)
            pending.push({ place: out[place] as number, slots: entry.slots });
          break;
        case opcodes.nothing:
          pending.push({ place: out[place] as number, slots: entry.slots });
          break;
        default:
          threads.slots[index] = entry.slots;
      }
    }
  }
}
