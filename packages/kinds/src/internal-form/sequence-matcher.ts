/** A run of equal lines: from line `a` of the one text and line `b` of the other. */
export interface Match {
  readonly a: number;
  readonly b: number;
  readonly size: number;
}

interface Range {
  readonly aFrom: number;
  readonly aTo: number;
  readonly bFrom: number;
  readonly bTo: number;
}

/** From this many lines on, lines that make up more than a hundredth of the second text start no match. */
const manyLines = 200;

/**
 * The runs of lines that two texts share, in order, with an empty one at the end. This is the algorithm of Ratcliff and
 * Obershelp in the form of Python's difflib, which upstream's messages are made with: the longest run first, then the same
 * on both sides of it.
 */
export function matchLines(a: readonly string[], b: readonly string[]): Match[] {
  const places = placesOf(b);
  const found: Match[] = [];
  const visit = (range: Range): void => {
    const match = longestMatch(a, b, places, range);
    if (match.size === 0) return;
    visit({ ...range, aTo: match.a, bTo: match.b });
    found.push(match);
    visit({ ...range, aFrom: match.a + match.size, bFrom: match.b + match.size });
  };
  visit({ aFrom: 0, aTo: a.length, bFrom: 0, bTo: b.length });
  return [...joined(found), { a: a.length, b: b.length, size: 0 }];
}

function placesOf(lines: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  for (const [at, line] of lines.entries()) {
    const known = places.get(line);
    if (known) known.push(at);
    else places.set(line, [at]);
  }
  const most = Math.floor(lines.length / 100) + 1;
  if (lines.length >= manyLines) for (const [line, at] of places) if (at.length > most) places.delete(line);
  return places;
}

function longestMatch(
  a: readonly string[],
  b: readonly string[],
  places: ReadonlyMap<string, readonly number[]>,
  { aFrom, aTo, bFrom, bTo }: Range,
): Match {
  let [bestA, bestB, size] = [aFrom, bFrom, 0];
  let lengths = new Map<number, number>();
  for (let i = aFrom; i < aTo; i++) {
    const next = new Map<number, number>();
    for (const j of places.get(a[i] ?? "") ?? []) {
      if (j < bFrom) continue;
      if (j >= bTo) break;
      const length = (lengths.get(j - 1) ?? 0) + 1;
      next.set(j, length);
      if (length > size) [bestA, bestB, size] = [i - length + 1, j - length + 1, length];
    }
    lengths = next;
  }
  // Lines too frequent to start a match still lengthen one.
  for (; bestA > aFrom && bestB > bFrom && a[bestA - 1] === b[bestB - 1]; size++)
    [bestA, bestB] = [bestA - 1, bestB - 1];
  for (; bestA + size < aTo && bestB + size < bTo && a[bestA + size] === b[bestB + size]; ) size++;
  return { a: bestA, b: bestB, size };
}

function joined(matches: readonly Match[]): Match[] {
  const result: Match[] = [];
  for (const match of matches) {
    const last = result.at(-1);
    if (last && last.a + last.size === match.a && last.b + last.size === match.b)
      result[result.length - 1] = { ...last, size: last.size + match.size };
    else result.push(match);
  }
  return result;
}
