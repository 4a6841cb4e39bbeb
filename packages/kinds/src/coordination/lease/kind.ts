import { builtInKind } from "../../built-in/built-in-kind.js";
import { age } from "../../definition/age.js";
import { ageColumn, column, nameColumn } from "../../definition/columns.js";
import type { StoredLease } from "./stored.js";
import { checkLease, checkLeaseUpdate } from "./validation.js";

export type { StoredLease };

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
