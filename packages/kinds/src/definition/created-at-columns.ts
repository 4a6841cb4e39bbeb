import { type ColumnDefinition, type ColumnSet, nameColumn } from "./columns.js";

const createdAtColumn: ColumnDefinition = {
  name: "Created At",
  type: "date",
  format: "",
  description: "When the object was created, by the clock of the server.",
  priority: 0,
};

/** What Go prints of no time. */
const goZeroTime = "0001-01-01T00:00:00Z";

interface Dated {
  readonly metadata: { readonly name?: string; readonly creationTimestamp?: string | null };
}

/** How a kind is printed that has no columns of its own. */
export const createdAtColumns = {
  columns: [nameColumn, createdAtColumn],
  cells: ({ metadata }: Dated) => [metadata.name ?? "", metadata.creationTimestamp ?? goZeroTime],
  nullWhenEmpty: true,
} satisfies ColumnSet<Dated>;
