import type { CronJob, CronJobStatus, Job } from "@coxswain/api/batch/v1";
import { localTimeZone } from "@coxswain/apimachinery/cron";
import { quoteGo } from "@coxswain/apimachinery/text";
import { isAlreadyExists, isNotFound } from "@coxswain/apimachinery/status";
import { formatTime, parseTimeMs } from "@coxswain/apimachinery/time";
import type { EventType } from "@coxswain/client/events";
import { type Indexers, keyOf } from "@coxswain/client/informers";
import type { WorkResult } from "@coxswain/client/queue";
import { exponentialBuckets } from "@coxswain/runtime/metrics";
import type { Controller } from "../controller/controller.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import { type CachedJob, finishedTypeOf, jobKind } from "../job/job-state.js";
import { controllerRefOf, isControlledBy } from "../pods/controller-ref.js";
import { isNamespaceTerminating, messageOf, referenceOf } from "../pods/pod-control.js";
import {
  type CachedCronJob,
  type CachedCronJobStatus,
  cronJobKind,
  hasZoneInSchedule,
  jobFromTemplate,
  scheduleOf,
  timeZoneProblem,
} from "./cron-job-state.js";
import { nextDueIn, planHistory, planSchedule, type ScheduleInputs } from "./plan.js";
import { planActive, withoutActive } from "./plan-active.js";

/** Finds the Jobs of a CronJob by "namespace/name". */
const cronJobIndex = "cronJob";
const jobsByCronJob: Indexers<CachedJob> = { [cronJobIndex]: (job) => ownerKeyOf(job) ?? [] };

/** Creates Jobs at the times of CronJobs' schedules. */
export const cronJobController: Controller = {
  name: "cronjob-controller",
  aliases: ["cronjob"],
  serviceAccount: "cronjob-controller",
  start(context) {
    const { client, informers, settings } = context;
    const { clock } = context.runtime;
    const cronJobs = informers.of("batch", "v1", "cronjobs");
    const jobs = informers.of("batch", "v1", "jobs", { indexers: jobsByCronJob });
    const recorder = context.recorder("cronjob-controller");
    // With the first CronJob: the zone comes from ICU, whose data take 20 ms to load.
    let zone = settings.localTimeZone;
    const localZone = (): string => (zone ??= localTimeZone());
    const skew = context.runtime.metrics.histogram({
      name: "cronjob_controller_job_creation_skew_duration_seconds",
      help: "Time between when a cronjob is scheduled to be run, and when the corresponding job is created",
      stability: "STABLE",
      buckets: exponentialBuckets(1, 2, 10),
    });
    const record = (cronJob: CachedCronJob, type: EventType, reason: string, message: string): void =>
      recorder.event(referenceOf(cronJob, cronJobKind), { type, reason, message });

    const loop = createReconcileLoop(context, {
      name: "cronjob",
      workers: settings.concurrency?.["cronjob-controller"] ?? 5,
      reconcile,
    });
    loop.handle(cronJobs, {
      onAdd: (cronJob) => loop.queue.add(keyOf(cronJob)),
      onUpdate(old, cronJob) {
        const hasChanged =
          old.spec?.schedule !== cronJob.spec?.schedule || old.spec?.timeZone !== cronJob.spec?.timeZone;
        if (!hasChanged) return loop.queue.add(keyOf(cronJob));
        const { schedule } = scheduleOf(cronJob);
        if (schedule)
          return wakeAfter(cronJob, nextDueIn({ cronJob, schedule, now: clock.now(), localZone: localZone() }));
        const message = `unparseable schedule for cronjob: ${cronJob.spec?.schedule}`;
        record(cronJob, "Warning", "UnParseableCronJobSchedule", message);
      },
      onDelete: (cronJob) => loop.queue.add(keyOf(cronJob)),
    });
    /** Only a CronJob that is there, and that very one. */
    const ownerOf = (job: CachedJob): string | undefined => {
      const key = ownerKeyOf(job)?.[0];
      const cronJob = key === undefined ? undefined : cronJobs.indexer.getByKey(key);
      return cronJob && isControlledBy(job, cronJob) ? key : undefined;
    };
    loop.watchFor(jobs, (job, old) => [ownerOf(job), old && ownerOf(old)]);

    const wakeAfter = (cronJob: CachedCronJob, ms: number): void => {
      if (Number.isFinite(ms)) loop.queue.addAfter(keyOf(cronJob), ms);
    };

    async function reconcile(key: string): Promise<WorkResult> {
      const cronJob = cronJobs.indexer.getByKey(key);
      if (!cronJob) return;
      const owned = jobs.indexer.byIndex(cronJobIndex, key);
      const before = cronJob.status ?? {};
      if (planActive(before, owned).unexpected.length > 0 && (await isBehind(cronJob))) return;
      const draft: Draft = { status: before };
      // A Job that the status still has as active is deleted after the status has noted when it succeeded: nobody could learn that later.
      const noted = (job: CachedJob): boolean => !before.active?.some(({ uid }) => uid === job.metadata?.uid);
      for (const job of planHistory(cronJob, owned).filter(noted)) await deleteJob(cronJob, job, draft);
      let afterMs: number | undefined;
      let failure: { readonly error: unknown } | undefined;
      try {
        await syncActive(cronJob, owned, draft);
        afterMs = await syncSchedule(cronJob, draft);
      } catch (error) {
        failure = { error };
      }
      // What has been done is noted, whatever came after it.
      if (draft.status !== before) await storeStatus(cronJob, draft.status);
      if (failure) throw failure.error;
      if (afterMs !== undefined && Number.isFinite(afterMs)) return { requeueAfterMs: afterMs };
    }

    /** Whether the cache has not seen the own last status yet. When it does, that wakes the CronJob again. */
    async function isBehind({ metadata }: CachedCronJob): Promise<boolean> {
      const fresh = await client.batch.v1.cronjobs(metadata?.namespace ?? "").get(metadata?.name ?? "");
      return fresh.metadata?.resourceVersion !== metadata?.resourceVersion;
    }

    async function syncActive(cronJob: CachedCronJob, owned: readonly CachedJob[], draft: Draft): Promise<void> {
      const plan = planActive(draft.status, owned);
      draft.status = plan.status;
      for (const { metadata } of plan.unexpected) {
        const message = `Saw a job that the controller did not create or forgot: ${metadata?.name}`;
        record(cronJob, "Warning", "UnexpectedJob", message);
      }
      for (const job of plan.completed) {
        const message = `Saw completed job: ${job.metadata?.name}, condition: ${finishedTypeOf(job)}`;
        record(cronJob, "Normal", "SawCompletedJob", message);
      }
      for (const job of plan.missing) {
        if (await isThere(job)) continue;
        record(cronJob, "Normal", "MissingJob", `Active job went missing: ${job.name}`);
        draft.status = withoutActive(draft.status, job.uid);
      }
    }

    /** Asks the server, since the cache of Jobs may be behind. */
    async function isThere({ namespace, name }: { namespace: string; name: string }): Promise<boolean> {
      try {
        await client.batch.v1.jobs(namespace).get(name);
        return true;
      } catch (error) {
        if (isNotFound(error)) return false;
        throw error;
      }
    }

    /** Answers in how many milliseconds to look again; undefined: when something changes. */
    async function syncSchedule(cronJob: CachedCronJob, draft: Draft): Promise<number | undefined> {
      const { spec, metadata } = cronJob;
      if (metadata?.deletionTimestamp) return undefined;
      const zoneProblem = timeZoneProblem(cronJob);
      if (zoneProblem !== undefined) {
        const message = `invalid timeZone: ${quoteGo(spec?.timeZone ?? "")}: ${zoneProblem}`;
        record(cronJob, "Warning", "UnknownTimeZone", message);
        return undefined;
      }
      if (spec?.suspend) return undefined;
      if (hasZoneInSchedule(cronJob))
        record(cronJob, "Warning", "UnsupportedSchedule", unsupported(spec?.schedule ?? ""));
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
          return (await startJob(cronJob, plan.scheduledMs, draft)) ? nextDueIn(inputs()) : undefined;
      }
    }

    /** False: somebody else has made a Job of that name. */
    async function startJob(cronJob: CachedCronJob, scheduledMs: number, draft: Draft): Promise<boolean> {
      if (cronJob.spec?.concurrencyPolicy === "Replace") await deleteActive(cronJob, draft);
      const job = await createJob(cronJob, scheduledMs);
      const isKnown = draft.status.active?.some(({ uid }) => uid === job.metadata?.uid) ?? false;
      if (!isControlledBy(job, cronJob) || isKnown) return false;
      const active = [...(draft.status.active ?? []), referenceOf(job, jobKind)];
      draft.status = { ...draft.status, active, lastScheduleTime: formatTime(scheduledMs) };
      return true;
    }

    /** Also answers the one that is there already: an earlier life may have created it and not come to note it. */
    async function createJob(cronJob: CachedCronJob, scheduledMs: number): Promise<Job> {
      const wanted = jobFromTemplate(cronJob, scheduledMs, localZone());
      const { name = "" } = wanted.metadata ?? {};
      const owned = client.batch.v1.jobs(cronJob.metadata?.namespace ?? "");
      try {
        const job = await owned.create(wanted);
        const createdMs = parseTimeMs(job.metadata?.creationTimestamp ?? "") ?? scheduledMs;
        skew.with().observe((createdMs - scheduledMs) / 1000);
        record(cronJob, "Normal", "SuccessfulCreate", `Created job ${name}`);
        return job;
      } catch (error) {
        if (isAlreadyExists(error)) return owned.get(name);
        // Every creation in such a namespace fails: nothing is wrong with this one.
        if (!isNamespaceTerminating(error))
          record(cronJob, "Warning", "FailedCreate", `Error creating job: ${messageOf(error)}`);
        throw error;
      }
    }

    async function deleteActive(cronJob: CachedCronJob, draft: Draft): Promise<void> {
      for (const { name = "", namespace = "" } of draft.status.active ?? []) {
        const job = await client.batch.v1
          .jobs(namespace)
          .get(name)
          .catch((error: unknown) => {
            record(cronJob, "Warning", "FailedGet", `Get job: ${messageOf(error)}`);
            throw error;
          });
        if (!(await deleteJob(cronJob, job, draft))) throw new Error(`could not replace job ${namespace}/${name}`);
      }
    }

    /** False: it failed, and an event has the reason. */
    async function deleteJob(cronJob: CachedCronJob, { metadata }: CachedJob, draft: Draft): Promise<boolean> {
      const { namespace = "", name = "" } = metadata ?? {};
      try {
        await client.batch.v1.jobs(namespace).delete(name, { propagationPolicy: "Background" });
      } catch (error) {
        record(cronJob, "Warning", "FailedDelete", `Deleted job: ${messageOf(error)}`);
        return false;
      }
      draft.status = withoutActive(draft.status, metadata?.uid ?? "");
      record(cronJob, "Normal", "SuccessfulDelete", `Deleted job ${name}`);
      return true;
    }

    async function storeStatus(cronJob: CachedCronJob, status: CachedCronJobStatus): Promise<void> {
      const namespace = cronJob.metadata?.namespace ?? "";
      const object = { ...(cronJob as CronJob), status: status as CronJobStatus };
      await client.batch.v1.cronjobs(namespace).updateStatus(object);
    }
    return loop;
  },
};

/** The status as it will be written. */
interface Draft {
  status: CachedCronJobStatus;
}

function ownerKeyOf(job: CachedJob): [string] | undefined {
  const owner = controllerRefOf(job);
  return owner?.kind === cronJobKind.kind ? [`${job.metadata?.namespace}/${owner.name}`] : undefined;
}

const tooMany = "too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew";
const forbidden = "Not starting job because prior execution is running and concurrency policy is Forbid";
const unsupported = (schedule: string): string =>
  `CRON_TZ or TZ used in schedule ${quoteGo(schedule)} is not officially supported, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details`;

/** "Mon, 02 Jan 2006 15:04:05 +0000". */
const rfc1123 = (ms: number): string => new Date(ms).toUTCString().replace("GMT", "+0000");
