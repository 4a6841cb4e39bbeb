import type { OwnerReference } from "../contract/messages.js";
import type { RowView } from "../contract/table.js";

/** A row as it is kept: what is shown, and what filters and trees ask for. */
export interface StoredRow extends RowView {
  readonly labels: Readonly<Record<string, string>> | undefined;
  readonly owners: readonly OwnerReference[];
}

/** By namespace and name. */
export const byName = (a: StoredRow, b: StoredRow): number =>
  compareTexts(a.namespace, b.namespace) || compareTexts(a.name, b.name);

export const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
