import { type CompiledFilter, numberIn, plainName } from "../contract/filter.js";
import type { ColumnView, SortOrder } from "../contract/table.js";
import type { StoredRow } from "./table-store.js";

/** Pure: the rows that a filter lets through, in order. */
export function queryRows(
  rows: Iterable<StoredRow>,
  { filter, sort, columns }: { filter: CompiledFilter; sort: SortOrder | undefined; columns: readonly ColumnView[] },
): StoredRow[] {
  const found: StoredRow[] = [];
  for (const row of rows) if (filter.matches(row)) found.push(row);
  const key = sort && keyOf(sort.column, columns);
  if (!key) return found.sort(byName);
  const direction = sort.descending ? -1 : 1;
  // Keys once for each row, not once for each comparison.
  const keyed = found.map((row) => ({ row, key: key(row) }));
  keyed.sort((a, b) => compareKeys(a.key, b.key) * direction || byName(a.row, b.row));
  return keyed.map(({ row }) => row);
}

const byName = (a: StoredRow, b: StoredRow): number =>
  compareTexts(a.namespace, b.namespace) || compareTexts(a.name, b.name);

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

type Key = string | number;

/** Numbers before texts, whatever a column mixes. */
function compareKeys(a: Key, b: Key): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a === "number") return -1;
  return typeof b === "number" ? 1 : compareTexts(a, b);
}

function keyOf(column: string, columns: readonly ColumnView[]): ((row: StoredRow) => Key) | undefined {
  const name = plainName(column);
  if (name === "namespace") return (row) => row.namespace;
  if (name === "name") return (row) => row.name;
  const at = columns.findIndex((candidate) => plainName(candidate.name) === name);
  if (at < 0) return undefined;
  // The youngest first, as a growing age.
  if (columns[at]?.isAge) return (row) => -row.created;
  return (row) => {
    const cell = row.cells[at] ?? "";
    const number = /^\d/.test(cell) && !/^\d+\.\d+\.\d/.test(cell) ? numberIn(cell) : Number.NaN;
    return Number.isNaN(number) ? cell.toLowerCase() : number;
  };
}
