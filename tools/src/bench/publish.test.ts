import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { disturbances, publish } from "./publish.js";
import type { Figure } from "./rows/row.js";
import { type RowRun, readRuns } from "./runs.js";
import { topics } from "./topics.js";

const creates: Figure = { what: "creates", unit: "per s", better: "more", budget: 2 };
const heap: Figure = { what: "heap", unit: "KB", better: "less", budget: 25, budgetOf: "ours" };
const run = (topic: RowRun["topic"], lines: RowRun["lines"]): RowRun => ({
  row: "row",
  topic,
  date: "2026-01-02T03:04:05Z",
  commit: "abc",
  machine: "2 cores",
  versions: "Kubernetes 1.36.4",
  load: { average: 1, others: 0.25 },
  seconds: 1,
  lines,
});
const emptyPage = Object.keys(topics)
  .map((name) => `# ${name}\n\n<!-- bench:${name} -->\nold\n<!-- /bench -->\n`)
  .join("\n");
const sectionOf = (page: string, name: string): string =>
  new RegExp(`<!-- bench:${name} -->\n\n([^]*?)\n\n<!-- /bench -->`).exec(page)?.[1] ?? "";

describe("the published page", () => {
  it("has a table of each topic with ratio, budget, load, runs and where they were measured", () => {
    const page = publish(emptyPage, [run("server", [{ figure: creates, upstream: 100, ours: 250 }])]);
    expect(sectionOf(page, "server").split("\n")).toEqual([
      "| what | kube-apiserver | Coxswain | ratio | budget | load / others | runs |",
      "| --- | --- | --- | --- | --- | --- | --- |",
      "| creates | 100 per s | 250 per s | 2.5 × | > 2 ×, met | 1.0 / 0.3 | 1 |",
      "",
      "2026-01-02; 2 cores; Kubernetes 1.36.4; build abc.",
    ]);
  });

  it("leaves out upstream's columns where nobody has them", () => {
    const page = publish(emptyPage, [run("test-kit", [{ figure: heap, ours: 30 }])]);
    expect(sectionOf(page, "test-kit").split("\n").slice(0, 3)).toEqual([
      "| what | Coxswain | budget | load / others | runs |",
      "| --- | --- | --- | --- | --- |",
      "| heap | 30 KB | ours < 25 KB, missed | 1.0 / 0.3 | 1 |",
    ]);
  });

  it("reports where nothing was measured, and keeps what is outside the markers", () => {
    const page = publish(emptyPage, []);
    expect(sectionOf(page, "clusters")).toBe("Not measured yet by this command.");
    expect(page.replaceAll(/<!-- bench[^]*?<!-- \/bench -->/g, "")).toBe(
      emptyPage.replaceAll(/<!-- bench[^]*?<!-- \/bench -->/g, ""),
    );
  });

  it("is refused when a topic has no place in it", () => {
    expect(() => publish("", [])).toThrow("no place for <!-- bench:server -->");
  });

  it("names the rows that others disturbed", () => {
    const quiet = run("server", []);
    const noisy = { ...quiet, row: "noisy", load: { average: 5, others: 0 } };
    const beside = { ...quiet, row: "beside", load: { average: 1, others: 1.5 } };
    const { load: _, ...unknown } = { ...quiet, row: "unknown" };
    const named = disturbances([quiet, noisy, beside, unknown]).map((line) => line.split(" ")[0]);
    expect(named).toEqual(["noisy", "beside", "unknown"]);
  });

  it("docs/benchmarks.md is what its file of runs gives", () => {
    const [page, file] = ["benchmarks.md", "benchmarks.json"].map(
      (name) => new URL(`../../../docs/${name}`, import.meta.url).pathname,
    ) as [string, string];
    const text = readFileSync(page, "utf8");
    expect(publish(text, readRuns(file))).toBe(text);
  });
});
