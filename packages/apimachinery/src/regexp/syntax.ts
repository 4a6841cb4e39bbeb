import type { RuneSet } from "./rune-set.js";

/** Where a position must be, without a character being read. */
export type Assertion = "beginText" | "endText" | "beginLine" | "endLine" | "wordBoundary" | "noWordBoundary";

/** A parsed expression. `height` and `size` keep hostile ones in bounds. */
export type Syntax = SyntaxShape & { readonly height: number; readonly size: number };

type SyntaxShape =
  | { readonly op: "empty" }
  | { readonly op: "runes"; readonly set: RuneSet }
  | { readonly op: "assertion"; readonly assertion: Assertion }
  | { readonly op: "capture"; readonly index: number; readonly of: Syntax }
  | {
      readonly op: "repeat";
      readonly of: Syntax;
      readonly min: number;
      readonly max: number;
      readonly greedy: boolean;
      readonly counted: boolean;
    }
  | { readonly op: "concat"; readonly parts: readonly Syntax[] }
  | { readonly op: "alternate"; readonly parts: readonly Syntax[] };

/** An expression that cannot be compiled. The message is that of Go's regexp package. */
export class RegexpError extends Error {
  constructor(code: string, expression: string) {
    super(`error parsing regexp: ${code}: \`${expression}\``);
    this.name = "RegexpError";
  }
}

export const emptySyntax: Syntax = { op: "empty", height: 1, size: 1 };

export const runes = (set: RuneSet): Syntax => ({ op: "runes", set, height: 1, size: 1 });

export const assertion = (kind: Assertion): Syntax => ({ op: "assertion", assertion: kind, height: 1, size: 1 });

export const capture = (index: number, of: Syntax): Syntax => ({
  op: "capture",
  index,
  of,
  height: of.height + 1,
  size: of.size + 2,
});

export const unbounded = Number.POSITIVE_INFINITY;

/** `counted`: written with braces; only these count against the limit of a thousand. */
export function repetition(
  of: Syntax,
  min: number,
  max: number,
  options: { greedy: boolean; counted: boolean },
): Syntax {
  const copies = max === unbounded ? Math.max(1, min) : max;
  const size = options.counted ? of.size * Math.max(1, copies) + (max === unbounded ? 1 : max - min) : of.size + 1;
  return { op: "repeat", of, min, max, ...options, height: of.height + 1, size };
}

export function concat(parts: readonly Syntax[]): Syntax {
  if (parts.length === 0) return emptySyntax;
  return parts.length === 1 ? (parts[0] as Syntax) : { op: "concat", parts, ...boundsOf(parts, 0) };
}

export const alternate = (parts: readonly Syntax[]): Syntax =>
  parts.length === 1 ? (parts[0] as Syntax) : { op: "alternate", parts, ...boundsOf(parts, parts.length - 1) };

const boundsOf = (parts: readonly Syntax[], extra: number): { height: number; size: number } => ({
  height: 1 + parts.reduce((most, { height }) => Math.max(most, height), 0),
  size: extra + parts.reduce((sum, { size }) => sum + size, 0),
});

/** Whether nested counts multiply to no more than `limit`. */
export function repeatsWithin(syntax: Syntax, limit: number): boolean {
  switch (syntax.op) {
    case "repeat": {
      if (!syntax.counted) return repeatsWithin(syntax.of, limit);
      const count = syntax.max === unbounded ? syntax.min : syntax.max;
      if (syntax.max === 0) return true;
      if (count > limit) return false;
      return repeatsWithin(syntax.of, count > 0 ? Math.floor(limit / count) : limit);
    }
    case "capture":
      return repeatsWithin(syntax.of, limit);
    case "concat":
    case "alternate":
      return syntax.parts.every((part) => repeatsWithin(part, limit));
    default:
      return true;
  }
}
