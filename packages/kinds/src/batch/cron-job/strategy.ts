import { fieldPath } from "@coxswain/apimachinery/field";
import { countGeneration, keep } from "../../definition/keep.js";
import type { Strategy, UpdateStrategy } from "../../definition/strategy.js";
import { podNameWarnings } from "../../workload/pod-name-warning.js";
import { jobSpecWarnings } from "../job-spec/warnings.js";
import type { StoredCronJob } from "./stored.js";
import { checkCronJob, checkCronJobUpdate } from "./validation.js";

const templatePath = fieldPath("spec", "jobTemplate", "spec");

export const cronJobStrategy: Strategy<StoredCronJob> = {
  resetFields: [["status"]],
  prepareForCreate(cronJob) {
    cronJob.status = {};
    cronJob.metadata.generation = 1;
  },
  validateCreate: checkCronJob,
  warningsOnCreate: ({ metadata, spec }) => [
    ...podNameWarnings(metadata.name ?? ""),
    ...(spec.jobTemplate.spec ? jobSpecWarnings(spec.jobTemplate.spec, templatePath) : []),
  ],
  prepareForUpdate(cronJob, old) {
    keep(cronJob, old, "status");
    countGeneration(cronJob, old, "spec");
  },
  validateUpdate: checkCronJobUpdate,
  warningsOnUpdate({ metadata, spec }, old) {
    const changed = metadata.generation !== old.metadata.generation && spec.jobTemplate.spec;
    const zone =
      "cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details";
    return [
      ...(changed ? jobSpecWarnings(changed, templatePath) : []),
      ...(spec.schedule.includes("TZ") ? [zone] : []),
    ];
  },
  garbageCollection: "background",
};

/** Nothing of it is checked. */
export const cronJobStatusStrategy: UpdateStrategy<StoredCronJob> = {
  resetFields: [["spec"]],
  prepareForUpdate: (cronJob, old) => keep(cronJob, old, "spec"),
};
