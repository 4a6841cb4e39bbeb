import { builtInKind } from "../../built-in/built-in-kind.js";
import { age } from "../../definition/age.js";
import { ageColumn, column, nameColumn } from "../../definition/columns.js";
import { keep, keepMetadata } from "../../definition/keep.js";
import type { StoredServiceCidr } from "./stored.js";
import { checkServiceCidr, checkServiceCidrStatus, checkServiceCidrUpdate } from "./validation.js";

export type { StoredServiceCidr };

export const serviceCidrKind = builtInKind<StoredServiceCidr>("networking.k8s.io", "v1", "servicecidrs", {
  strategy: {
    resetFields: [["status"]],
    prepareForCreate: (range) => void (range.status = {}),
    validateCreate: checkServiceCidr,
    prepareForUpdate: (range, old) => keep(range, old, "status"),
    validateUpdate: checkServiceCidrUpdate,
  },
  views: {
    status: {
      resetFields: [["metadata"], ["spec"]],
      prepareForUpdate(range, old) {
        keep(range, old, "spec");
        keepMetadata(range, old);
      },
      validateUpdate: checkServiceCidrStatus,
    },
  },
  columns: {
    columns: [nameColumn, column("CIDRs", "string", "The addresses that services get."), ageColumn],
    cells: ({ metadata, spec }, now) => [
      metadata.name ?? "",
      (spec.cidrs ?? []).join(","),
      age(metadata.creationTimestamp, now),
    ],
  },
});
