import { age } from "../../definition/age.js";
import { ageColumn, type ColumnSet, column, nameColumn } from "../../definition/columns.js";
import { none } from "../../printing/labels.js";
import type { StoredFlowSchema } from "./stored.js";

export const flowSchemaColumns: ColumnSet<StoredFlowSchema> = {
  columns: [
    nameColumn,
    column("PriorityLevel", "string", "The level of its requests."),
    column("MatchingPrecedence", "string", "Schemas of lower numbers are asked first."),
    column("DistinguisherMethod", "string", "What makes a flow of its requests."),
    ageColumn,
    column("MissingPL", "string", "Whether its level does not exist."),
  ],
  cells: ({ metadata, spec, status }, now) => [
    metadata.name ?? "",
    spec.priorityLevelConfiguration.name,
    spec.matchingPrecedence ?? 0,
    spec.distinguisherMethod?.type ?? none,
    age(metadata.creationTimestamp, now),
    danglingText(status.conditions ?? []),
  ],
};

function danglingText(conditions: readonly { readonly type?: string; readonly status?: string }[]): string {
  const dangling = conditions.find(({ type }) => type === "Dangling");
  return dangling ? (dangling.status ?? "") : "?";
}
