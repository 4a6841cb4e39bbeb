import type { DeepReadonly } from "@coxswain/api";
import type { CronJob, CronJobStatus, Job } from "@coxswain/api/batch/v1";
import { formatTimeIn, isTimeZone, type ParsedSchedule, parseCronSchedule } from "@coxswain/apimachinery/cron";
import { cloneJson } from "@coxswain/apimachinery/json";
import { controllerReference } from "@coxswain/client/controller";

/** A CronJob as caches hold it. */
export type CachedCronJob = DeepReadonly<CronJob>;
export type CachedCronJobStatus = DeepReadonly<CronJobStatus>;

export const cronJobKind = { group: "batch", version: "v1", kind: "CronJob" };

/** When the Job should have started, in the CronJob's time zone. */
const scheduledTimeName = "batch.kubernetes.io/cronjob-scheduled-timestamp";

/** A schedule may bring its own zone, from times when there was no field for it. */
export const hasZoneInSchedule = ({ spec }: CachedCronJob): boolean => spec?.schedule.includes("TZ") ?? false;

/** What is wrong with the field for the zone; undefined: nothing. */
export function timeZoneProblem({ spec }: CachedCronJob): string | undefined {
  const zone = spec?.timeZone;
  if (!zone || zone === "Local" || isTimeZone(zone)) return undefined;
  return `unknown time zone ${zone}`;
}

export function scheduleOf(cronJob: CachedCronJob): ParsedSchedule {
  const { schedule = "", timeZone } = cronJob.spec ?? {};
  const isZoned = timeZone !== undefined && !hasZoneInSchedule(cronJob) && timeZoneProblem(cronJob) === undefined;
  return parseCronSchedule(isZoned ? `TZ=${timeZone} ${schedule}` : schedule);
}

/** One name per minute: it is the lock that keeps a Job from being created twice. */
export const jobNameAt = ({ metadata }: CachedCronJob, scheduledMs: number): string =>
  `${metadata?.name}-${Math.trunc(scheduledMs / 60_000)}`;

/** Pure: the Job of one time. */
export function jobFromTemplate(cronJob: CachedCronJob, scheduledMs: number, localZone: string): Job {
  const { jobTemplate, timeZone } = cronJob.spec ?? {};
  const zone = timeZone === "Local" ? localZone : timeZone || "UTC";
  const { labels, annotations } = jobTemplate?.metadata ?? {};
  return {
    metadata: {
      name: jobNameAt(cronJob, scheduledMs),
      ...(labels && { labels: { ...labels } }),
      annotations: { ...annotations, [scheduledTimeName]: formatTimeIn(zone, scheduledMs) },
      ownerReferences: [controllerReference({ metadata: cronJob.metadata ?? {} }, cronJobKind)],
    },
    ...(jobTemplate?.spec && { spec: cloneJson(jobTemplate.spec) as NonNullable<Job["spec"]> }),
  };
}
