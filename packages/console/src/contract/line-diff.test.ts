import { describe, expect, it } from "vitest";
import { diffLines, foldSame } from "./line-diff.js";

const marks = { same: " ", gone: "-", new: "+", skipped: "…" } as const;
const shown = (before: string, after: string): string =>
  diffLines(before, after)
    .map(({ kind, text }) => `${marks[kind]}${text}`)
    .join("|");

describe("differences of texts", () => {
  const cases: readonly (readonly [name: string, before: string, after: string, lines: string])[] = [
    ["equal texts have none", "a\nb", "a\nb", " a| b"],
    ["a line in the middle is changed", "a\nb\nc", "a\nx\nc", " a|-b|+x| c"],
    ["a line is added at the end", "a", "a\nb", " a|+b"],
    ["a line is removed at the beginning", "a\nb", "b", "-a| b"],
    ["everything is new", "", "a\nb", "+a|+b"],
    ["everything is gone", "a\nb", "", "-a|-b"],
    ["two changes apart", "a\nb\nc\nd", "x\nb\nc\ny", "-a|+x| b| c|-d|+y"],
  ];
  for (const [name, before, after, lines] of cases) it(name, () => expect(shown(before, after)).toBe(lines));

  it("what is gone and the same is the text before, and what is new and the same the text after, for random texts", () => {
    let seed = 7;
    const next = (): number => (seed = (seed * 48_271) % 2_147_483_647);
    for (let round = 0; round < 200; round++) {
      const text = (): string => Array.from({ length: next() % 12 }, () => "abc"[next() % 3]).join("\n");
      const [before, after] = [text(), text()];
      const lines = diffLines(before, after);
      expect(
        lines
          .filter(({ kind }) => kind !== "new")
          .map((line) => line.text)
          .join("\n"),
      ).toBe(before);
      expect(
        lines
          .filter(({ kind }) => kind !== "gone")
          .map((line) => line.text)
          .join("\n"),
      ).toBe(after);
    }
  });

  it("lines far from a change are one", () => {
    const before = Array.from({ length: 20 }, (_, at) => `line ${at}`).join("\n");
    const folded = foldSame(diffLines(before, before.replace("line 10", "changed")));
    expect(folded.map(({ kind }) => kind)).toEqual([
      "skipped",
      "same",
      "same",
      "same",
      "gone",
      "new",
      "same",
      "same",
      "same",
      "skipped",
    ]);
    expect(folded[0]?.text).toBe("7 lines");
  });
});
