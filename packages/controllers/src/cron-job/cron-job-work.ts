import type { Client } from "@coxswain/client";
import type { EventType } from "@coxswain/client/events";
import type { Clock } from "@coxswain/runtime/clock";
import type { Histogram } from "@coxswain/runtime/metrics";
import type { CachedJob } from "../job/job-state.js";
import type { CachedCronJob, CachedCronJobStatus } from "./cron-job-state.js";

/** What the work on all CronJobs shares. */
export interface CronJobWork {
  readonly client: Client;
  readonly clock: Clock;
  localZone(): string;
  /** Seconds between when a Job was scheduled and when it was created. */
  readonly skew: Histogram;
  cronJobByKey(key: string): CachedCronJob | undefined;
  jobsOf(key: string): readonly CachedJob[];
  record(cronJob: CachedCronJob, type: EventType, reason: string, message: string): void;
}

/** The status as it will be written. */
export interface Draft {
  status: CachedCronJobStatus;
}
