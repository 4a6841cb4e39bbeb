/** One row of the table: what was measured with and without history, or one figure, and whether that is within its budget. */
export interface HistoryFigure {
  readonly what: string;
  readonly budget: string;
  readonly measured: string;
  readonly isMet: boolean;
}

export const formatFigures = (figures: readonly HistoryFigure[]): string =>
  [
    "| what | measured | budget | |",
    "| --- | --- | --- | --- |",
    ...figures.map(
      ({ what, measured, budget, isMet }) => `| ${what} | ${measured} | ${budget} | ${isMet ? "" : "missed"} |`,
    ),
  ].join("\n");

/** The median of at least one value. */
export function middle(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[at]! : (sorted[at - 1]! + sorted[at]!) / 2;
}
