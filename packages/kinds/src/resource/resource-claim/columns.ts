import type { DeepReadonly } from "@coxswain/api";
import { age } from "../../definition/age.js";
import { ageColumn, type ColumnSet, column, nameColumn } from "../../definition/columns.js";
import type { StoredResourceClaim } from "./stored.js";

export const resourceClaimColumns: ColumnSet<StoredResourceClaim> = {
  columns: [
    nameColumn,
    column("State", "string", "What has become of the claim: pending, allocated, reserved, deleted."),
    ageColumn,
  ],
  cells: (claim, now) => [claim.metadata.name ?? "", stateOf(claim), age(claim.metadata.creationTimestamp, now)],
};

function stateOf({ metadata, status }: DeepReadonly<StoredResourceClaim>): string {
  const isDeleted = metadata.deletionTimestamp !== undefined;
  const states = isDeleted ? ["deleted"] : [];
  if (!status.allocation) return isDeleted ? "deleted" : "pending";
  states.push("allocated");
  if (status.reservedFor?.length) states.push("reserved");
  return states.join(",");
}
