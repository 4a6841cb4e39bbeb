import { fieldPath } from "@coxswain/apimachinery/field";
import { countGeneration, keep } from "../../definition/keep.js";
import type { Strategy, UpdateStrategy } from "../../definition/strategy.js";
import { podNameWarnings } from "../../workload/pod-name-warning.js";
import { jobSpecWarnings } from "../job-spec/warnings.js";
import { generateSelector } from "./selector.js";
import { checkJobStatus } from "./status-validation.js";
import type { StoredJob } from "./stored.js";
import { checkJob, checkJobUpdate } from "./validation.js";

export const jobStrategy: Strategy<StoredJob> = {
  resetFields: [["status"]],
  prepareForCreate(job) {
    generateSelector(job);
    job.status = {};
    job.metadata.generation = 1;
  },
  validateCreate: (job, context) => checkJob(job, undefined, context),
  warningsOnCreate: ({ metadata, spec }) => [
    ...podNameWarnings(metadata.name ?? ""),
    ...jobSpecWarnings(spec, fieldPath("spec")),
  ],
  prepareForUpdate(job, old) {
    keep(job, old, "status");
    countGeneration(job, old, "spec");
  },
  validateUpdate: checkJobUpdate,
  warningsOnUpdate: ({ metadata, spec }, old) =>
    metadata.generation === old.metadata.generation ? [] : jobSpecWarnings(spec, fieldPath("spec")),
  /** From before there was a garbage collector: its pods stay unless the client asks otherwise. */
  garbageCollection: "orphan",
};

export const jobStatusStrategy: UpdateStrategy<StoredJob> = {
  resetFields: [["spec"]],
  prepareForUpdate: (job, old) => keep(job, old, "spec"),
  validateUpdate: checkJobStatus,
};
