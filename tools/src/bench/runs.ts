import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { groupBy } from "./group-by.js";
import type { MachineLoad } from "./machine-load.js";
import type { Line } from "./table.js";
import { ratioOf } from "./table.js";
import type { Topic } from "./topics.js";

/** One measurement of one row, as it is kept in a file. */
export interface RowRun {
  readonly row: string;
  readonly topic: Topic;
  readonly date: string;
  readonly commit: string;
  readonly machine: string;
  readonly versions: string;
  /** Undefined: not recorded. */
  readonly load?: MachineLoad;
  readonly seconds?: number;
  readonly lines: readonly Line[];
}

/** So many of each row are kept. */
const keptRuns = 3;

export const readRuns = (file: string): RowRun[] =>
  existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as { runs: RowRun[] }).runs : [];

/** Written after each row, so that a bench that is stopped loses nothing. A run in which nothing was measured is not kept. */
export function keepRun(file: string, run: RowRun): void {
  if (run.lines.every(({ ours, upstream }) => ours === undefined && upstream === undefined)) return;
  writeRuns(file, lastRuns([...readRuns(file), run]));
}

/** Pure: rows that `by` has are its own; all in this order, those that it does not name at the end. */
export function replaceRuns(runs: readonly RowRun[], by: readonly RowRun[], order: readonly string[]): RowRun[] {
  const replaced = new Set(by.map(({ row }) => row));
  const place = ({ row }: RowRun): number => (order.includes(row) ? order.indexOf(row) : order.length);
  return [...runs.filter(({ row }) => !replaced.has(row)), ...by].toSorted((a, b) => place(a) - place(b));
}

export const writeRuns = (file: string, runs: readonly RowRun[]): void =>
  writeFileSync(file, `${JSON.stringify({ runs }, null, 1)}\n`);

/** The lines, each with the load that the row was measured under. */
export const loadedLines = ({ lines, load }: RowRun): Line[] => lines.map((line) => (load ? { ...line, load } : line));

/** Pure: of each row the last three of its newest build, in their order. Older builds are replaced, since the best of two builds is neither's. */
export const lastRuns = (runs: readonly RowRun[]): RowRun[] =>
  runs.filter((run, at) => {
    const later = runs.slice(at + 1).filter(({ row }) => row === run.row);
    return later.length < keptRuns && later.every(({ commit }) => commit === run.commit);
  });

export interface BestLine extends Line {
  /** Of which it is the best. */
  readonly runs: number;
}

/**
 * Pure: of each figure the run that was best for ours. Both sides are of that run: a ratio of two runs would compare two machines.
 * A figure that is compared with a limit, or that upstream does not have, is compared by its own value.
 */
export function bestLines(runs: readonly RowRun[]): BestLine[] {
  const byWhat = groupBy(runs.flatMap(loadedLines), ({ figure }) => figure.what);
  return [...byWhat.values()].flatMap((lines) => {
    const measured = lines.filter(({ ours }) => typeof ours === "number");
    const best = (measured.length > 0 ? measured : lines).toSorted(byBest)[0];
    return best && (best.ours !== undefined || best.upstream !== undefined)
      ? [{ ...best, figure: lines.at(-1)!.figure, runs: measured.length }]
      : [];
  });
}

function byBest(a: Line, b: Line): number {
  const score = (line: Line): number => {
    const value = line.figure.budgetOf === "ours" ? line.ours : (ratioOf(line) ?? line.ours);
    if (typeof value !== "number") return Number.POSITIVE_INFINITY;
    return line.figure.better === "more" ? -value : value;
  };
  // A run that has both sides goes before one in which a server failed.
  const hasBoth = (line: Line): number => (line.figure.budgetOf === "ours" || ratioOf(line) !== undefined ? 0 : 1);
  return hasBoth(a) - hasBoth(b) || score(a) - score(b);
}
