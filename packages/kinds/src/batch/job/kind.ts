import { quoteGo } from "@coxswain/apimachinery/field";
import { builtInKind } from "../../built-in/built-in-kind.js";
import { jobTypeDefaults } from "../job-spec/defaults.js";
import { jobColumns } from "./columns.js";
import { setJobDefaults } from "./defaults.js";
import type { StoredJob } from "./stored.js";
import { jobStatusStrategy, jobStrategy } from "./strategy.js";

export type { StoredJob };

const podsStay =
  "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning";

export const jobKind = builtInKind<StoredJob>("batch", "v1", "jobs", {
  setDefaults: setJobDefaults,
  typeDefaults: jobTypeDefaults,
  strategy: jobStrategy,
  views: { status: jobStatusStrategy },
  columns: jobColumns,
  warningsOnDelete: ({ orphanDependents, propagationPolicy }) =>
    orphanDependents === undefined && propagationPolicy === undefined ? [podsStay] : [],
  selectableValues: ({ status }) => ({ "status.successful": String(status.succeeded ?? 0) }),
  unknownFieldText: (field) => `field label ${quoteGo(field)} not supported for Job`,
});
