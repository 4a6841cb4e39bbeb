/** One line of a difference. */
export interface DiffLine {
  readonly kind: "same" | "gone" | "new" | "skipped";
  readonly text: string;
}

/** Edits beyond this are shown as everything gone and everything new: the search is quadratic in them. */
const maxEdits = 2000;

/** Pure: the shortest way from one text to another, by lines (Myers, "An O(ND) Difference Algorithm", 1986). */
export function diffLines(before: string, after: string): DiffLine[] {
  const a = before === "" ? [] : before.replace(/\n$/, "").split("\n");
  const b = after === "" ? [] : after.replace(/\n$/, "").split("\n");
  const trace = searchEdits(a, b);
  if (!trace) return [...a.map(line("gone")), ...b.map(line("new"))];
  const lines: DiffLine[] = [];
  let x = a.length;
  let y = b.length;
  for (let d = trace.length - 1; d >= 0; d--) {
    const reached = trace[d] as Map<number, number>;
    const k = x - y;
    const down = k === -d || (k !== d && (reached.get(k - 1) ?? -1) < (reached.get(k + 1) ?? -1));
    const fromK = down ? k + 1 : k - 1;
    const fromX = d === 0 ? 0 : (reached.get(fromK) ?? 0);
    const fromY = d === 0 ? 0 : fromX - fromK;
    while (x > fromX && y > fromY) {
      lines.push({ kind: "same", text: a[x - 1] ?? "" });
      x--;
      y--;
    }
    if (d === 0) break;
    lines.push(down ? { kind: "new", text: b[y - 1] ?? "" } : { kind: "gone", text: a[x - 1] ?? "" });
    x = fromX;
    y = fromY;
  }
  return lines.reverse();
}

const line =
  (kind: DiffLine["kind"]) =>
  (text: string): DiffLine => ({ kind, text });

/** The furthest points after 0, 1, 2 … edits, each as it was before that round; undefined where there are too many. */
function searchEdits(a: readonly string[], b: readonly string[]): Map<number, number>[] | undefined {
  const furthest = new Map<number, number>([[1, 0]]);
  const trace: Map<number, number>[] = [];
  for (let d = 0; d <= Math.min(a.length + b.length, maxEdits); d++) {
    trace.push(new Map([...furthest].filter(([k]) => Math.abs(k) <= d + 1)));
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && (furthest.get(k - 1) ?? -1) < (furthest.get(k + 1) ?? -1));
      let x = down ? (furthest.get(k + 1) ?? 0) : (furthest.get(k - 1) ?? 0) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      furthest.set(k, x);
      if (x >= a.length && x - k >= b.length) return trace;
    }
  }
  return undefined;
}

/** Pure: lines that are the same, but for `around` of them next to a change, as one. */
export function foldSame(lines: readonly DiffLine[], around = 3): DiffLine[] {
  const near = lines.map((_, at) =>
    lines.slice(Math.max(0, at - around), at + around + 1).some(({ kind }) => kind !== "same"),
  );
  const folded: DiffLine[] = [];
  let skipped = 0;
  const flush = (): void => {
    if (skipped > 0) folded.push({ kind: "skipped", text: `${skipped} lines` });
    skipped = 0;
  };
  for (const [at, line] of lines.entries()) {
    if (!near[at]) skipped++;
    else {
      flush();
      folded.push(line);
    }
  }
  flush();
  return folded;
}
