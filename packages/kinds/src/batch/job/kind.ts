import type { Job } from "@coxswain/api/batch/v1";
import { quoteGo } from "@coxswain/apimachinery/field";
import { builtInKind } from "../../built-in-kind.js";
import type { Stored } from "../../stored.js";
import { jobTypeDefaults } from "../job-spec/defaults.js";
import { jobColumns } from "./columns.js";
import { setJobDefaults } from "./defaults.js";
import { jobStatusStrategy, jobStrategy } from "./strategy.js";

export type StoredJob = Stored<Job, "spec" | "status">;

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
