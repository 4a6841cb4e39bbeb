import type { DeepReadonly } from "@coxswain/api";
import { age } from "../../definition/age.js";
import { type ColumnSet, column, nameColumn } from "../../definition/columns.js";
import { none } from "../../printing/labels.js";
import type { StoredIpAddress } from "./stored.js";

export const ipAddressColumns: ColumnSet<StoredIpAddress> = {
  columns: [nameColumn, column("ParentRef", "string", "Whose address it is.")],
  // Upstream sends an age, for which it names no column.
  cells: ({ metadata, spec }, now) => [
    metadata.name ?? "",
    parentText(spec.parentRef),
    age(metadata.creationTimestamp, now),
  ],
};

function parentText(parent: DeepReadonly<StoredIpAddress>["spec"]["parentRef"]): string {
  if (!parent) return none;
  const { group = "", resource = "", namespace = "", name = "" } = parent;
  const of = (group === "" ? resource : `${resource}.${group}`).toLowerCase();
  return [of, ...(namespace === "" ? [] : [namespace]), name].join("/");
}
