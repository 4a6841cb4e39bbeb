import type { MachineLoad } from "./machine-load.js";
import type { Figure } from "./rows/row.js";

/** A line of the table: a figure with what was measured. Undefined: that server was not asked, or failed. */
export interface Line {
  readonly figure: Figure;
  readonly upstream?: number | "not yet" | undefined;
  readonly ours?: number | "not yet" | undefined;
  readonly load?: MachineLoad;
}

const head = ["what", "upstream", "ours", "ratio", "budget", "", "load / others"];

export function formatTable(lines: readonly Line[]): string {
  const cells = [head, ...lines.map(formatLine)];
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  const format = (row: readonly string[]): string =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
      .join("  ")
      .trimEnd();
  return [
    format(head),
    widths
      .map((width) => "-".repeat(width))
      .join("  ")
      .trimEnd(),
    ...cells.slice(1).map(format),
  ].join("\n");
}

/** Ours divided by upstream's, where both are numbers. */
export const ratioOf = ({ ours, upstream }: Line): number | undefined =>
  typeof ours === "number" && typeof upstream === "number" && upstream > 0 ? ours / upstream : undefined;

export function isMet(line: Line): boolean | undefined {
  const { better, budget, budgetOf } = line.figure;
  const measured = budgetOf === "ours" ? line.ours : ratioOf(line);
  if (budget === undefined || typeof measured !== "number") return undefined;
  return better === "more" ? measured > budget : measured < budget;
}

/** The cells of a line: what, upstream, ours, ratio, budget, whether it is met, load. */
export function formatLine(line: Line): string[] {
  const { figure } = line;
  const ratio = ratioOf(line);
  const met = isMet(line);
  return [
    figure.what,
    formatValue(line.upstream, figure.unit),
    formatValue(line.ours, figure.unit),
    ratio === undefined ? "" : formatRatio(ratio),
    formatBudget(figure),
    met === undefined ? "" : met ? "met" : "missed",
    line.load ? `${line.load.average.toFixed(1)} / ${line.load.others.toFixed(1)}` : "",
  ];
}

function formatBudget({ budget, budgetOf, better, unit }: Figure): string {
  if (budget === undefined) return "";
  const sign = better === "more" ? ">" : "<";
  return budgetOf === "ours" ? `ours ${sign} ${formatLimit(budget, unit)}` : `${sign} ${formatRatio(budget)}`;
}

function formatValue(value: number | "not yet" | undefined, unit: Figure["unit"]): string {
  if (value === undefined) return "-";
  if (value === "not yet") return value;
  if (unit === "ms" && value >= 10_000) return formatValue(value / 1_000, "s");
  const digits = value < 10 || (unit === "s" && value < 100) ? 1 : 0;
  return `${value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits })} ${unit}`;
}

/** A round number. */
const formatLimit = (value: number, unit: Figure["unit"]): string => `${value.toLocaleString("en-US")} ${unit}`;

/** Above one as "5.2 x", below as "1/6.3". */
function formatRatio(ratio: number): string {
  const short = (value: number): string => String(Number(value.toFixed(value < 10 ? 1 : 0)));
  return ratio >= 1 ? `${short(ratio)} x` : `1/${short(1 / ratio)}`;
}
