import type { Client } from "@coxswain/client";
import { createExpectations, type Expectations } from "@coxswain/client/controller";
import type { EventRecorder } from "@coxswain/client/events";
import type { ReadonlyIndexer } from "@coxswain/client/informers";
import type { Clock } from "@coxswain/runtime/clock";
import type { Scheduler } from "@coxswain/runtime/scheduler";
import type { ControllerContext } from "../controller/controller.js";
import type { CachedPod } from "../pods/pod-state.js";
import { createPodWrites, type PodWrites } from "../pods/pod-writes.js";
import { podsOfOwner } from "../pods/pods-of-owner.js";
import { type CachedJob, jobKind } from "./job-state.js";
import { createJobMetrics, type JobMetrics } from "./metrics.js";
import type { BackoffRecord } from "./pod-backoff.js";

export const jobResource = { group: "batch", resource: "jobs" };

/** What the work on all Jobs shares: how to read and write, and what is known before the caches show it. */
export interface JobWork extends PodWrites {
  readonly client: Client;
  readonly recorder: EventRecorder;
  readonly metrics: JobMetrics;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  /** Whether the start time of a suspended Job is removed (MutableSchedulingDirectivesForSuspendedJobs). */
  readonly clearsStartTime: boolean;
  jobByKey(key: string): CachedJob | undefined;
  /** Of the cache: those that it controls, and orphans in its namespace. */
  podsOf(job: CachedJob): readonly CachedPod[];
  readonly expectations: Expectations;
  /** By key of the Job, UIDs of pods whose finalizer was removed and that the cache still shows with it. */
  readonly released: Map<string, Set<string>>;
  readonly backoffs: Map<string, BackoffRecord>;
  /** UIDs of Jobs that were written as finished, until the cache shows that too. */
  readonly finished: Set<string>;
}

export interface JobCaches {
  readonly jobs: ReadonlyIndexer<CachedJob>;
  readonly pods: ReadonlyIndexer<CachedPod>;
}

export function createJobWork(context: ControllerContext, { jobs, pods }: JobCaches): JobWork {
  const { client, gates } = context;
  const { clock, metrics, scheduler } = context.runtime;
  const recorder = context.recorder("job-controller");
  const writes = createPodWrites({
    client,
    recorder,
    kind: jobKind,
    pods,
    owners: jobs,
    resource: jobResource,
    isConsistent: gates.enabled("StaleControllerConsistencyJob"),
  });
  return {
    client,
    recorder,
    metrics: createJobMetrics(metrics),
    ...writes,
    clock,
    scheduler,
    clearsStartTime: gates.enabled("MutableSchedulingDirectivesForSuspendedJobs"),
    jobByKey: (key) => jobs.getByKey(key),
    podsOf: (job) => podsOfOwner(pods, job, jobKind.kind),
    expectations: createExpectations({ clock }),
    released: new Map(),
    backoffs: new Map(),
    finished: new Set(),
  };
}
