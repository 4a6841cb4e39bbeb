import type { Lease } from "@coxswain/api/coordination/v1";
import { age } from "../../age.js";
import { builtInKind } from "../../built-in-kind.js";
import { ageColumn, column, nameColumn } from "../../columns.js";
import type { Stored } from "../../stored.js";
import { checkLease, checkLeaseUpdate } from "./validation.js";

export type StoredLease = Stored<Lease, "spec">;

export const leaseKind = builtInKind<StoredLease>("coordination.k8s.io", "v1", "leases", {
  strategy: {
    resetFields: [],
    validateCreate: checkLease,
    validateUpdate: checkLeaseUpdate,
    allowCreateOnUpdate: true,
    allowUnconditionalUpdate: false,
  },
  views: {},
  columns: {
    columns: [nameColumn, column("Holder", "string", "Who holds it."), ageColumn],
    cells: ({ metadata, spec }, now) => [
      metadata.name ?? "",
      spec.holderIdentity ?? "",
      age(metadata.creationTimestamp, now),
    ],
  },
});
