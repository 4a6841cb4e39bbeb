import { humanDuration, parseTimeMs } from "@coxswain/apimachinery/time";
import { ageColumn, type ColumnSet, column, nameColumn } from "@coxswain/kinds";
import type { Change, ChangePath } from "./change.js";

const mostChars = 60;

/** How changes are printed: as a log of commits is. */
export const changeColumns: ColumnSet<Change> = {
  columns: [
    nameColumn,
    column("Object", "string", "The kind and name of the object that was written."),
    column("Who", "string", "The user that wrote."),
    column("Via", "string", "The field manager, and the subresource that was written."),
    column("Changed", "string", "What became of it, or the members that differ."),
    ageColumn,
  ],
  cells({ metadata, object, user = "", manager = "", subresource = "", ...change }, now) {
    const written = parseTimeMs(metadata.creationTimestamp ?? "");
    return [
      metadata.name ?? "",
      `${object.kind}/${object.name}`,
      shortUser(user),
      [manager, subresource].filter((text) => text !== "").join("/"),
      changeText(change as Pick<Change, "type" | "paths">),
      written === undefined ? "<unknown>" : humanDuration(now - written),
    ];
  },
};

/** A service account by its name alone, as people speak of it. */
export const shortUser = (user: string): string => user.replace(/^system:serviceaccount:kube-system:/, "");

/** What a change did, in one line. */
export function changeText({ type, paths }: Pick<Change, "type" | "paths">): string {
  if (type === "Created") return "created";
  if (type === "Deleted") return "deleted";
  const [first, ...rest] = type === "DeletionRequested" ? [] : paths;
  if (type === "DeletionRequested") return "deletion requested";
  if (!first) return "nothing that is shown";
  const more = rest.length > 0 ? ` and ${rest.length} more` : "";
  return pathText(first) + more;
}

const pathText = ({ path, before, after }: ChangePath): string => `${path}: ${valueText(before)} → ${valueText(after)}`;

function valueText(value: unknown): string {
  if (value === undefined) return "-";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > mostChars ? `${text.slice(0, mostChars)}…` : text;
}
