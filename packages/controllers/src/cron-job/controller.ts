import { localTimeZone } from "@coxswain/apimachinery/cron";
import { type Indexers, keyOf } from "@coxswain/client/informers";
import { exponentialBuckets } from "@coxswain/runtime/metrics";
import type { Controller } from "../controller/controller.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import type { CachedJob } from "../job/job-state.js";
import { controllerRefOf, isControlledBy } from "../pods/controller-ref.js";
import { referenceOf } from "../pods/pod-control.js";
import { type CachedCronJob, cronJobKind, scheduleOf } from "./cron-job-state.js";
import type { CronJobWork } from "./cron-job-work.js";
import { nextDueIn } from "./plan.js";
import { reconcileCronJob } from "./reconcile-cron-job.js";

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
    const work: CronJobWork = {
      client,
      clock,
      localZone,
      skew: context.runtime.metrics.histogram({
        name: "cronjob_controller_job_creation_skew_duration_seconds",
        help: "Time between when a cronjob is scheduled to be run, and when the corresponding job is created",
        stability: "STABLE",
        buckets: exponentialBuckets(1, 2, 10),
      }),
      cronJobByKey: (key) => cronJobs.indexer.getByKey(key),
      jobsOf: (key) => jobs.indexer.byIndex(cronJobIndex, key),
      record: (cronJob, type, reason, message) =>
        recorder.event(referenceOf(cronJob, cronJobKind), { type, reason, message }),
    };
    const loop = createReconcileLoop(context, {
      name: "cronjob",
      workers: settings.concurrency?.["cronjob-controller"] ?? 5,
      reconcile: (key) => reconcileCronJob(work, key),
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
        work.record(cronJob, "Warning", "UnParseableCronJobSchedule", message);
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

    return loop;
  },
};

function ownerKeyOf(job: CachedJob): [string] | undefined {
  const owner = controllerRefOf(job);
  return owner?.kind === cronJobKind.kind ? [`${job.metadata?.namespace}/${owner.name}`] : undefined;
}
