import type { ColumnView, RowView } from "../contract/table.js";

const mostCh = 44;
const leastCh = 5;

/** Pure: widths in `ch` for what is seen now. They only grow while a table is open, so that columns do not jump. */
export function growWidths(
  before: readonly number[],
  columns: readonly ColumnView[],
  rows: readonly RowView[],
  indexes: readonly number[],
): number[] {
  return indexes.map((index, at) => {
    const column = columns[index];
    let width = Math.max(before[at] ?? leastCh, (column?.name.length ?? 0) + 2);
    for (const { cells } of rows) width = Math.max(width, Math.min(mostCh, (cells[index]?.length ?? 0) + 1));
    return column?.isAge ? Math.max(width, 7) : width;
  });
}

/** Pure: columns that are shown: the important ones, or all. A pod's node is asked for most; some kinds have a second "Name". */
export function shownColumns(columns: readonly ColumnView[], isWide: boolean): number[] {
  return columns.flatMap(({ name, priority }, at) =>
    name === "Name" && at === 0 ? [] : isWide || priority === 0 || name === "Node" ? [at] : [],
  );
}
