import { builtInKind } from "../../built-in/built-in-kind.js";
import { age } from "../../definition/age.js";
import { ageColumn, column, nameColumn } from "../../definition/columns.js";
import type { StoredCsiNode } from "./stored.js";
import { checkCsiNode, checkCsiNodeUpdate } from "./validation.js";

export type { StoredCsiNode };

export const csiNodeKind = builtInKind<StoredCsiNode>("storage.k8s.io", "v1", "csinodes", {
  strategy: {
    resetFields: [],
    validateCreate: checkCsiNode,
    validateUpdate: checkCsiNodeUpdate,
    allowUnconditionalUpdate: false,
  },
  views: {},
  columns: {
    columns: [nameColumn, column("Drivers", "integer", "How many storage drivers run on the node."), ageColumn],
    cells: ({ metadata, spec }, now) => [
      metadata.name ?? "",
      (spec.drivers ?? []).length,
      age(metadata.creationTimestamp, now),
    ],
  },
  returnsDeletedObject: true,
});
