/** Height of a row in CSS pixels; the style sheet has the same number. */
export const rowHeight = 28;

/** Rows above and below those that are seen, so that a quick scroll shows no holes. Each costs work whenever the table changes. */
const margin = 16;

export interface RowWindow {
  readonly from: number;
  readonly count: number;
}

/** Pure: the rows to ask for, so that they need not be asked for again at the next line of scrolling. */
export function windowAt(scrollTop: number, height: number): RowWindow {
  const first = Math.floor(scrollTop / rowHeight);
  const seen = Math.ceil(height / rowHeight) + 1;
  const from = Math.max(0, Math.floor((first - margin) / 10) * 10);
  return { from, count: seen + 2 * margin + 10 };
}

/** Pure: where to scroll so that a row is seen whole; undefined where it is. */
export function scrollFor(row: number, scrollTop: number, height: number): number | undefined {
  const top = row * rowHeight;
  if (top < scrollTop) return top;
  const bottom = top + rowHeight;
  return bottom > scrollTop + height ? bottom - height : undefined;
}
