import { parseGroupVersion } from "@coxswain/apimachinery/meta";
import { age } from "../../definition/age.js";
import { ageColumn, type ColumnSet, column, nameColumn } from "../../definition/columns.js";
import { none } from "../../printing/labels.js";
import type { StoredControllerRevision } from "./stored.js";

export const controllerRevisionColumns: ColumnSet<StoredControllerRevision> = {
  columns: [
    nameColumn,
    column("Controller", "string", "The workload whose revision it is."),
    column("Revision", "string", "Its number."),
    ageColumn,
  ],
  cells({ metadata, revision }, now) {
    const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
    return [metadata.name ?? "", owner ? controllerText(owner) : none, revision, age(metadata.creationTimestamp, now)];
  },
};

function controllerText({
  apiVersion,
  kind,
  name,
}: {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}): string {
  const group = parseGroupVersion(apiVersion)?.group ?? "";
  return `${(group === "" ? kind : `${kind}.${group}`).toLowerCase()}/${name}`;
}
