import { builtInKind } from "../../built-in/built-in-kind.js";
import { jobTypeDefaults } from "../job-spec/defaults.js";
import { cronJobColumns } from "./columns.js";
import type { StoredCronJob } from "./stored.js";
import { cronJobStatusStrategy, cronJobStrategy } from "./strategy.js";

export type { StoredCronJob };

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
