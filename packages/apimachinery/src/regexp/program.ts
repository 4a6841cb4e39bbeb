import type { RuneSet } from "./rune-set.js";
import { type Assertion, type Syntax, unbounded } from "./syntax.js";

/** What an instruction does. `out` comes next, except for `match`. */
export const opcodes = { match: 0, runes: 1, split: 2, capture: 3, assert: 4, nothing: 5 } as const;

export const assertionBits: Readonly<Record<Assertion, number>> = {
  beginText: 1,
  endText: 2,
  beginLine: 4,
  endLine: 8,
  wordBoundary: 16,
  noWordBoundary: 32,
};

/** A non-deterministic automaton in arrays. */
export interface Program {
  readonly op: Uint8Array;
  readonly out: Int32Array;
  /** runes: which set; split: the second way; capture: the slot; assert: which bits. */
  readonly arg: Int32Array;
  readonly sets: readonly RuneSet[];
  readonly start: number;
  /** Whether a match can only begin at the beginning. */
  readonly anchored: boolean;
  /** All assertion bits that occur. */
  readonly assertions: number;
  readonly groups: number;
}

/** Compiles to what Go's regexp compiles to, so that of several matches the same one is preferred. */
export function compileProgram(syntax: Syntax, groups: number): Program {
  const builder = new Builder();
  const body = builder.fragment({ op: "capture", index: 0, of: syntax, height: 0, size: 0 });
  const match = builder.emit(opcodes.match);
  builder.patch(body.holes, match);
  return builder.finish(body.start, groups);
}

/** A piece whose loose ends are still open. A hole is an instruction's `out`, or its `arg` if negative (~index). */
interface Fragment {
  readonly start: number;
  readonly holes: number[];
  /** Whether it may match the empty text. */
  readonly nullable: boolean;
}

class Builder {
  readonly #op: number[] = [];
  readonly #out: number[] = [];
  readonly #arg: number[] = [];
  readonly #sets: RuneSet[] = [];
  readonly #setNumbers = new Map<RuneSet, number>();
  #assertions = 0;

  emit(op: number, out = -1, arg = 0): number {
    this.#op.push(op);
    this.#out.push(out);
    this.#arg.push(arg);
    return this.#op.length - 1;
  }

  patch(holes: readonly number[], target: number): void {
    for (const hole of holes) {
      if (hole >= 0) this.#out[hole] = target;
      else this.#arg[~hole] = target;
    }
  }

  fragment(syntax: Syntax): Fragment {
    switch (syntax.op) {
      case "empty":
        return this.#leaf(opcodes.nothing, 0, true);
      case "runes":
        return this.#leaf(opcodes.runes, this.#setNumber(syntax.set), false);
      case "assertion": {
        const bit = assertionBits[syntax.assertion];
        this.#assertions |= bit;
        return this.#leaf(opcodes.assert, bit, true);
      }
      case "capture": {
        const begin = this.#leaf(opcodes.capture, syntax.index * 2, true);
        const inner = this.fragment(syntax.of);
        return this.#join(this.#join(begin, inner), this.#leaf(opcodes.capture, syntax.index * 2 + 1, true));
      }
      case "concat":
        return syntax.parts.map((part) => this.fragment(part)).reduce((before, after) => this.#join(before, after));
      case "alternate":
        return this.#alternate(syntax.parts);
      case "repeat":
        return this.#repeat(syntax);
    }
  }

  #leaf(op: number, arg: number, nullable: boolean): Fragment {
    const at = this.emit(op, -1, arg);
    return { start: at, holes: [at], nullable };
  }

  #setNumber(set: RuneSet): number {
    const known = this.#setNumbers.get(set);
    if (known !== undefined) return known;
    this.#setNumbers.set(set, this.#sets.push(set) - 1);
    return this.#sets.length - 1;
  }

  #join(before: Fragment, after: Fragment): Fragment {
    this.patch(before.holes, after.start);
    return { start: before.start, holes: after.holes, nullable: before.nullable && after.nullable };
  }

  /** The first alternative is preferred. */
  #alternate(parts: readonly Syntax[]): Fragment {
    const fragments = parts.map((part) => this.fragment(part));
    const last = fragments.pop() as Fragment;
    let { start } = last;
    for (const fragment of fragments.toReversed()) start = this.emit(opcodes.split, fragment.start, start);
    const all = [...fragments, last];
    return { start, holes: all.flatMap(({ holes }) => holes), nullable: all.some(({ nullable }) => nullable) };
  }

  #repeat({ of, min, max, greedy }: Extract<Syntax, { op: "repeat" }>): Fragment {
    if (max === 0) return this.#leaf(opcodes.nothing, 0, true);
    if (max === unbounded && min === 0) return this.#star(this.fragment(of), greedy);
    const copies: Fragment[] = [];
    const required = max === unbounded ? min - 1 : min;
    for (let i = 0; i < required; i++) copies.push(this.fragment(of));
    if (max === unbounded) copies.push(this.#plus(this.fragment(of), greedy));
    else if (max > min) copies.push(this.#optionals(of, max - min, greedy));
    return copies.length === 0
      ? this.#leaf(opcodes.nothing, 0, true)
      : copies.reduce((before, after) => this.#join(before, after));
  }

  /** x{0,3} is (x(x(x)?)?)?, so that the later ones are only tried behind the earlier. */
  #optionals(of: Syntax, count: number, greedy: boolean): Fragment {
    let nested = this.#quest(this.fragment(of), greedy);
    for (let i = 1; i < count; i++) nested = this.#quest(this.#join(this.fragment(of), nested), greedy);
    return nested;
  }

  #split(into: number, greedy: boolean): { at: number; hole: number } {
    const at = greedy ? this.emit(opcodes.split, into, -1) : this.emit(opcodes.split, -1, into);
    return { at, hole: greedy ? ~at : at };
  }

  #quest(body: Fragment, greedy: boolean): Fragment {
    const { at, hole } = this.#split(body.start, greedy);
    body.holes.push(hole); // not copied: x{0,1000} would be quadratic
    return { start: at, holes: body.holes, nullable: true };
  }

  #plus(body: Fragment, greedy: boolean): Fragment {
    const { at, hole } = this.#split(body.start, greedy);
    this.patch(body.holes, at);
    return { start: body.start, holes: [hole], nullable: body.nullable };
  }

  /** A body that may be empty is (body+)?, else a round that matches nothing would be preferred to none. */
  #star(body: Fragment, greedy: boolean): Fragment {
    if (body.nullable) return this.#quest(this.#plus(body, greedy), greedy);
    const { at, hole } = this.#split(body.start, greedy);
    this.patch(body.holes, at);
    return { start: at, holes: [hole], nullable: true };
  }

  finish(start: number, groups: number): Program {
    const program = {
      op: Uint8Array.from(this.#op),
      out: Int32Array.from(this.#out),
      arg: Int32Array.from(this.#arg),
      sets: this.#sets,
      start,
      assertions: this.#assertions,
      groups,
    };
    return { ...program, anchored: beginsWithBeginText(program) };
  }
}

function beginsWithBeginText({ op, out, arg, start }: Pick<Program, "op" | "out" | "arg" | "start">): boolean {
  let at = start;
  while (op[at] === opcodes.capture || op[at] === opcodes.nothing) at = out[at] as number;
  return op[at] === opcodes.assert && arg[at] === assertionBits.beginText;
}
