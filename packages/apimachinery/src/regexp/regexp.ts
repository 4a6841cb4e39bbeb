import { Automaton } from "./automaton.js";
import { parseRegexp } from "./parse.js";
import { compileProgram } from "./program.js";
import { search } from "./search.js";

/** A match, or a group of one. Positions count UTF-16 units, as strings do. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface Match extends Span {
  /** By number, from one on; undefined for a group that took no part. */
  readonly groups: readonly (Span | undefined)[];
}

/**
 * A regular expression of Go's (RE2): no look-around, no back-references, and time linear in the text whatever the
 * expression. Users' patterns are only ever run by this.
 */
export interface Regexp {
  readonly source: string;
  /** The names of the groups, the empty string for one without; the first is the whole match. */
  readonly names: readonly string[];
  /** Whether the text holds a match anywhere. */
  test(text: string): boolean;
  /** The leftmost match at or behind `from`. */
  find(text: string, from?: number): Match | undefined;
  /** Matches that do not overlap, at most `limit`. */
  findAll(text: string, limit?: number): Match[];
}

/** @throws RegexpError with Go's words */
export function compileRegexp(source: string): Regexp {
  const { syntax, names } = parseRegexp(source);
  const program = compileProgram(syntax, names.length);
  let automaton: Automaton | undefined;

  function find(text: string, from = 0): Match | undefined {
    const slots = search(program, text, from);
    if (slots === undefined) return undefined;
    const span = (index: number): Span | undefined => {
      const [start = -1, end = -1] = slots.subarray(index * 2, index * 2 + 2);
      return start < 0 || end < 0 ? undefined : { start, end, text: text.slice(start, end) };
    };
    const whole = span(0);
    return whole && { ...whole, groups: Array.from({ length: names.length - 1 }, (_, i) => span(i + 1)) };
  }

  return {
    source,
    names,
    test(text) {
      automaton ??= new Automaton(program);
      return automaton.test(text);
    },
    find,
    findAll(text, limit = Number.POSITIVE_INFINITY) {
      const matches: Match[] = [];
      let lastEnd = -1;
      for (let at = 0; matches.length < limit && at <= text.length; ) {
        const match = find(text, at);
        if (match === undefined) break;
        // An empty match right behind another match does not count.
        const counts = match.end > match.start || match.start !== lastEnd;
        if (counts) matches.push(match);
        lastEnd = match.end;
        at = match.end > at ? match.end : at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
      }
      return matches;
    },
  };
}

/** An expression that matches the text itself. */
export const quoteRegexp = (text: string): string => text.replace(/[\\.+*?()|[\]{}^$]/g, "\\$&");
