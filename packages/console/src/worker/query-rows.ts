import { type CompiledFilter, numberIn, plainName } from "../contract/filter.js";
import type { ColumnView, SortOrder } from "../contract/table.js";
import { compareTexts, type StoredRow } from "./stored-row.js";

/** Pure: the rows that a filter lets through, in order. @param rows by namespace and name */
export function queryRows(
  rows: readonly StoredRow[],
  { filter, sort, columns }: { filter: CompiledFilter; sort: SortOrder | undefined; columns: readonly ColumnView[] },
): readonly StoredRow[] {
  const found = rows.filter((row) => filter.matches(row));
  const keyOf = sort && keyFor(sort.column, columns);
  if (!keyOf) return found;
  // Most columns have few different cells: those are put in order, not 50,000 rows.
  const byKey = new Map<Key, StoredRow[]>();
  for (const row of found) {
    const key = keyOf(row);
    const same = byKey.get(key);
    if (same) same.push(row);
    else byKey.set(key, [row]);
  }
  const direction = sort.descending ? -1 : 1;
  return [...byKey].sort(([a], [b]) => compareKeys(a, b) * direction).flatMap(([, same]) => same);
}

type Key = string | number;

/** Numbers before texts, whatever a column mixes. */
function compareKeys(a: Key, b: Key): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a === "number") return -1;
  return typeof b === "number" ? 1 : compareTexts(a, b);
}

function keyFor(column: string, columns: readonly ColumnView[]): ((row: StoredRow) => Key) | undefined {
  const name = plainName(column);
  if (name === "namespace") return (row) => row.namespace;
  if (name === "name") return (row) => row.name;
  const at = columns.findIndex((candidate) => plainName(candidate.name) === name);
  if (at < 0) return undefined;
  // The youngest first, as a growing age.
  if (columns[at]?.isAge) return (row) => -row.created;
  const keys = new Map<string, Key>();
  return ({ cells }) => {
    const cell = cells[at] ?? "";
    let key = keys.get(cell);
    if (key === undefined) keys.set(cell, (key = keyOfCell(cell)));
    return key;
  };
}

function keyOfCell(cell: string): Key {
  const number = /^\d/.test(cell) && !/^\d+\.\d+\.\d/.test(cell) ? numberIn(cell) : Number.NaN;
  return Number.isNaN(number) ? cell.toLowerCase() : number;
}
