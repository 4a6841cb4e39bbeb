/** Height of a row in CSS pixels; the style sheet has the same number. */
export const rowHeight = 28;

/** Rows above and below those that are seen while one scrolls, so that there are no holes. Each costs work whenever the table changes. */
const scrollMargin = 16;

/** Windows begin at every fifth row, so that they need not be asked for again at the next line of scrolling. */
const step = 5;

export interface RowWindow {
  readonly from: number;
  readonly count: number;
  /** Rows of the page: a row's place among them is its index modulo this, so that what scrolls out is used for what comes in. */
  readonly places: number;
}

/** Pure: the rows to ask for. */
export function windowAt(scrollTop: number, height: number, isScrolling: boolean): RowWindow {
  const margin = isScrolling ? scrollMargin : 0;
  const first = Math.floor(scrollTop / rowHeight);
  const seen = Math.ceil(height / rowHeight) + 1;
  const from = Math.max(0, Math.floor((first - margin) / step) * step);
  return { from, count: seen + 2 * margin + step, places: seen + 2 * scrollMargin + step };
}

/** Pure: where to scroll so that a row is seen whole; undefined where it is. */
export function scrollFor(row: number, scrollTop: number, height: number): number | undefined {
  const top = row * rowHeight;
  if (top < scrollTop) return top;
  const bottom = top + rowHeight;
  return bottom > scrollTop + height ? bottom - height : undefined;
}
