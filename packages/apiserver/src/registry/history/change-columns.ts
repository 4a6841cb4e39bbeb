import { changeText, shortUser } from "@coxswain/apimachinery/object";
import { humanDuration, parseTimeMs } from "@coxswain/apimachinery/time";
import { ageColumn, type ColumnSet, column, nameColumn } from "@coxswain/kinds";
import type { Change } from "./change.js";

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
