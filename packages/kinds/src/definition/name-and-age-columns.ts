import { age } from "./age.js";
import { ageColumn, type ColumnSet, nameColumn } from "./columns.js";

interface Dated {
  readonly metadata: { readonly name?: string; readonly creationTimestamp?: string | null };
}

export const nameAndAgeColumns = {
  columns: [nameColumn, ageColumn],
  cells: ({ metadata }: Dated, now: number) => [metadata.name ?? "", age(metadata.creationTimestamp, now)],
} satisfies ColumnSet<Dated>;
