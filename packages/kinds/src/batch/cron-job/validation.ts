import type { DeepReadonly } from "@coxswain/api";
import type { JobTemplateSpec } from "@coxswain/api/batch/v1";
import { append } from "@coxswain/apimachinery/append";
import { parseCronSchedule } from "@coxswain/apimachinery/cron";
import {
  type FieldError,
  type FieldPath,
  fieldPath,
  invalid,
  notSupported,
  required,
} from "@coxswain/apimachinery/field";
import { utf8Length, validateNonnegative } from "@coxswain/apimachinery/validation";
import { checkRequiredOneOf } from "../../checks/field-errors.js";
import { checkObjectMeta, checkObjectMetaUpdate } from "../../checks/object-meta.js";
import type { StrategyContext } from "../../definition/strategy.js";
import type { PodRules } from "../../pod-spec/pod-rules.js";
import { templateRules } from "../../workload/template.js";
import { checkJobSpec } from "../job-spec/validation.js";
import type { StoredCronJob } from "./stored.js";
import { checkTimeZone } from "./time-zone.js";

type ReadCronJob = DeepReadonly<StoredCronJob>;

const specPath = fieldPath("spec");
/** A job's name is that of its cron job, a hyphen and ten digits. */
const longestName = 52;

export function checkCronJob(cronJob: ReadCronJob, context: StrategyContext): FieldError[] {
  const errors = [
    ...checkObjectMeta(cronJob.metadata, { namespaced: true }),
    ...checkSpec(cronJob, undefined, context),
  ];
  const { name = "" } = cronJob.metadata;
  if (utf8Length(name) > longestName)
    errors.push(invalid(fieldPath("metadata", "name"), name, `must be no more than ${longestName} characters`));
  return errors;
}

export const checkCronJobUpdate = (next: ReadCronJob, old: ReadCronJob, context: StrategyContext): FieldError[] => [
  ...checkObjectMetaUpdate(next.metadata, old.metadata),
  ...checkSpec(next, old, context),
];

function checkSpec({ spec }: ReadCronJob, old: ReadCronJob | undefined, context: StrategyContext): FieldError[] {
  const errors = checkSchedule(spec, old?.spec);
  if (spec.startingDeadlineSeconds !== undefined)
    append(errors, validateNonnegative(spec.startingDeadlineSeconds, specPath.child("startingDeadlineSeconds")));
  if (!old || old.spec.timeZone !== spec.timeZone)
    append(errors, checkTimeZone(spec.timeZone, specPath.child("timeZone")));
  append(
    errors,
    checkRequiredOneOf(spec.concurrencyPolicy, ["Allow", "Forbid", "Replace"], specPath.child("concurrencyPolicy")),
  );
  append(
    errors,
    checkJobTemplate(
      spec.jobTemplate,
      specPath.child("jobTemplate", "spec"),
      templateRules(context, old?.spec.jobTemplate.spec?.template),
    ),
  );
  for (const member of ["successfulJobsHistoryLimit", "failedJobsHistoryLimit"] as const)
    append(errors, validateNonnegative(spec[member] ?? 0, specPath.child(member)));
  return errors;
}

function checkSchedule(
  { schedule, timeZone }: ReadCronJob["spec"],
  old: ReadCronJob["spec"] | undefined,
): FieldError[] {
  const path = specPath.child("schedule");
  if (schedule === "") return [required(path)];
  const { problem } = parseCronSchedule(schedule);
  const errors = problem === undefined ? [] : [invalid(path, schedule, problem)];
  if (!schedule.includes("TZ")) return errors;
  if (!old?.schedule.includes("TZ"))
    return [...errors, invalid(path, schedule, "cannot use TZ or CRON_TZ in schedule, use timeZone field instead")];
  return timeZone === undefined
    ? errors
    : [...errors, invalid(path, schedule, "cannot use both timeZone field and TZ or CRON_TZ in schedule")];
}

function checkJobTemplate(
  { spec = { template: {} } }: DeepReadonly<JobTemplateSpec>,
  path: FieldPath,
  rules: PodRules,
): FieldError[] {
  const errors = checkJobSpec(spec, path, rules);
  if (spec.selector) errors.push(invalid(path.child("selector"), spec.selector, "`selector` will be auto-generated"));
  if (spec.manualSelector) errors.push(notSupported(path.child("manualSelector"), true, ["nil", "false"]));
  return errors;
}
