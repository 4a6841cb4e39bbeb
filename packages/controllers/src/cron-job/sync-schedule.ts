import { quoteGo } from "@coxswain/apimachinery/text";
import { type CachedCronJob, hasZoneInSchedule, scheduleOf, timeZoneProblem } from "./cron-job-state.js";
import type { CronJobWork, Draft } from "./cron-job-work.js";
import { startJob } from "./job-writes.js";
import { nextDueIn, planSchedule, type ScheduleInputs } from "./plan.js";

/** Answers in how many milliseconds to look again; undefined: when something changes. */
export async function syncSchedule(
  work: CronJobWork,
  cronJob: CachedCronJob,
  draft: Draft,
): Promise<number | undefined> {
  const { clock, localZone, record } = work;
  const { spec, metadata } = cronJob;
  if (metadata?.deletionTimestamp) return undefined;
  const zoneProblem = timeZoneProblem(cronJob);
  if (zoneProblem !== undefined) {
    const message = `invalid timeZone: ${quoteGo(spec?.timeZone ?? "")}: ${zoneProblem}`;
    record(cronJob, "Warning", "UnknownTimeZone", message);
    return undefined;
  }
  if (spec?.suspend) return undefined;
  if (hasZoneInSchedule(cronJob)) record(cronJob, "Warning", "UnsupportedSchedule", unsupported(spec?.schedule ?? ""));
  const { schedule, problem } = scheduleOf(cronJob);
  if (!schedule) {
    const message = `unparseable schedule: ${quoteGo(spec?.schedule ?? "")} : ${problem}`;
    record(cronJob, "Warning", "UnparseableSchedule", message);
    return undefined;
  }
  const now = clock.now();
  const inputs = (): ScheduleInputs => ({
    cronJob: { ...cronJob, status: draft.status },
    schedule,
    now,
    localZone: localZone(),
  });
  const plan = planSchedule(inputs());
  if (plan.hasMissedMany) record(cronJob, "Warning", "TooManyMissedTimes", tooMany);
  switch (plan.kind) {
    case "invalid":
      record(cronJob, "Warning", "InvalidSchedule", `invalid schedule: ${spec?.schedule} : ${plan.problem}`);
      return undefined;
    case "wait":
      if (plan.missed !== undefined)
        record(cronJob, "Warning", "MissSchedule", `Missed scheduled time to start a job: ${rfc1123(plan.missed)}`);
      if (plan.isBlocked) record(cronJob, "Normal", "JobAlreadyActive", forbidden);
      return nextDueIn(inputs());
    case "start":
      return (await startJob(work, cronJob, { scheduledMs: plan.scheduledMs, draft }))
        ? nextDueIn(inputs())
        : undefined;
  }
}

const tooMany = "too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew";
const forbidden = "Not starting job because prior execution is running and concurrency policy is Forbid";
const unsupported = (schedule: string): string =>
  `CRON_TZ or TZ used in schedule ${quoteGo(schedule)} is not officially supported, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details`;

/** "Mon, 02 Jan 2006 15:04:05 +0000". */
const rfc1123 = (ms: number): string => new Date(ms).toUTCString().replace("GMT", "+0000");
