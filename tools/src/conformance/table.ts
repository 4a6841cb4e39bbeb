import type { Outcome } from "./outcome.js";
import { verdicts } from "./outcome.js";

/** What a run came to: a line for each area, then every test that did not pass, with the reason. */
export function formatTable(outcomes: readonly Outcome[]): string {
  const areas = [...new Set(outcomes.map(({ test }) => areaOf(test)))].sort();
  const count = (of: readonly Outcome[], verdict: string): string =>
    String(of.filter((outcome) => outcome.verdict === verdict).length);
  const row = (name: string, of: readonly Outcome[]): string[] => [
    name,
    ...verdicts.map((verdict) => count(of, verdict)),
  ];
  const rows = [
    ["", ...verdicts],
    ...areas.map((area) =>
      row(
        area,
        outcomes.filter(({ test }) => areaOf(test) === area),
      ),
    ),
    row("all", outcomes),
  ];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0))) ?? [];
  const lines = rows.map((cells) =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join("  "),
  );
  const others = outcomes.filter(({ verdict }) => verdict !== "passed");
  return [
    ...lines,
    ...others.map(({ test, verdict, message }) => `\n${verdict}: ${test}\n  ${sentenceOf(message)}`),
  ].join("\n");
}

const areaOf = (test: string): string => /^\[sig-([a-z-]+)\]/.exec(test)?.[1] ?? "other";

/** A message on one line, cut to what a terminal shows: what gomega expected and got stands on lines of its own. */
export const sentenceOf = (message = "no message"): string => message.replace(/\s+/g, " ").trim().slice(0, 300);
