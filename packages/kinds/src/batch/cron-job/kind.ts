import type { CronJob } from "@coxswain/api/batch/v1";
import { builtInKind } from "../../built-in-kind.js";
import type { Stored } from "../../stored.js";
import { jobTypeDefaults } from "../job-spec/defaults.js";
import { cronJobColumns } from "./columns.js";
import { cronJobStatusStrategy, cronJobStrategy } from "./strategy.js";

export type StoredCronJob = Stored<CronJob, "spec" | "status">;

export const cronJobKind = builtInKind<StoredCronJob>("batch", "v1", "cronjobs", {
  setDefaults({ spec }) {
    spec.concurrencyPolicy ||= "Allow";
    spec.suspend ??= false;
    spec.successfulJobsHistoryLimit ??= 3;
    spec.failedJobsHistoryLimit ??= 1;
  },
  typeDefaults: jobTypeDefaults,
  strategy: cronJobStrategy,
  views: { status: cronJobStatusStrategy },
  columns: cronJobColumns,
});
