import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Figure } from "./rows/row.js";
import { bestLines, keepRun, lastRuns, type RowRun, readRuns, replaceRuns } from "./runs.js";

const creates: Figure = { what: "creates", unit: "per s", better: "more", budget: 2 };
const start: Figure = { what: "start", unit: "ms", better: "less", budget: 1 / 4 };
const heap: Figure = { what: "heap", unit: "KB", better: "less", budget: 25, budgetOf: "ours" };

const run = (row: string, lines: RowRun["lines"], commit = "a"): RowRun => ({
  row,
  topic: "server",
  date: "2026-01-02T03:04:05Z",
  commit,
  machine: "",
  versions: "",
  load: { average: 1, others: 0 },
  seconds: 1,
  lines,
});

describe("the best of several runs", () => {
  const cases = [
    {
      name: "is that of the best ratio, both sides from it",
      lines: [
        { figure: creates, upstream: 100, ours: 300 },
        { figure: creates, upstream: 10, ours: 50 },
        { figure: creates, upstream: 200, ours: 400 },
      ],
      best: [10, 50, 3],
    },
    {
      name: "of a figure that is better when it is less is the smallest ratio",
      lines: [
        { figure: start, upstream: 100, ours: 30 },
        { figure: start, upstream: 1000, ours: 200 },
      ],
      best: [1000, 200, 2],
    },
    {
      name: "of a figure with a limit of its own is ours itself",
      lines: [
        { figure: heap, ours: 40 },
        { figure: heap, ours: 30 },
      ],
      best: [undefined, 30, 2],
    },
    {
      name: "is not one in which a server failed, if there is another",
      lines: [
        { figure: creates, ours: 9_999 },
        { figure: creates, upstream: 100, ours: 90 },
        { figure: creates, upstream: 100 },
      ],
      best: [100, 90, 2],
    },
  ];
  for (const { name, lines, best } of cases)
    it(name, () => {
      const runs = lines.map((line) => run("row", [line]));
      expect(bestLines(runs).map(({ upstream, ours, runs: count }) => [upstream, ours, count])).toEqual([best]);
    });

  it("has no line of a figure that nobody measured", () => {
    expect(bestLines([run("row", [{ figure: creates }])])).toEqual([]);
  });
});

describe("kept runs", () => {
  it("are the last three of each row", () => {
    const runs = [1, 2, 3, 4].map((seconds) => ({ ...run("create", []), seconds }));
    const other = run("get", [], "e");
    expect(lastRuns([other, ...runs])).toEqual([other, ...runs.slice(1)]);
  });

  it("are of one build", () => {
    const runs = ["a", "b", "a", "c", "c"].map((commit) => run("create", [], commit));
    expect(lastRuns(runs)).toEqual(runs.slice(3));
  });

  it("replace those of their rows in the page, in the bench's order", () => {
    const runs = [run("client", []), run("get", [], "old"), run("start", [])];
    const by = [run("get", [], "new"), run("create", [])];
    const named = replaceRuns(runs, by, ["start", "create", "get"]).map(({ row, commit }) => `${row} ${commit}`);
    expect(named).toEqual(["start a", "create a", "get new", "client a"]);
  });

  it("do not contain a run in which nothing was measured", () => {
    const folder = mkdtempSync(join(tmpdir(), "bench-runs-"));
    const file = join(folder, "runs.json");
    try {
      keepRun(file, run("create", [{ figure: creates, ours: 1 }]));
      keepRun(file, run("create", [{ figure: creates }]));
      expect(readRuns(file).map(({ lines }) => lines)).toEqual([[{ figure: creates, ours: 1 }]]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
