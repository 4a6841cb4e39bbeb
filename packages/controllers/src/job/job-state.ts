import type { DeepReadonly } from "@coxswain/api";
import type { Job, JobCondition, JobStatus } from "@coxswain/api/batch/v1";
import { hasFinalizer } from "@coxswain/client/controller";
import { type CachedPod, isBeingDeleted } from "../pods/pod-state.js";

/** A Job as caches hold it. */
export type CachedJob = DeepReadonly<Job>;
export type CachedJobStatus = DeepReadonly<JobStatus>;
export type CachedJobCondition = DeepReadonly<JobCondition>;

export const jobKind = { group: "batch", version: "v1", kind: "Job" };

/** Keeps a pod until its end has been counted in the status of its Job. */
export const trackingFinalizer = "batch.kubernetes.io/job-tracking";

/** The name of this controller in spec.managedBy. */
const ownName = "kubernetes.io/job-controller";

export const isTracked = (pod: CachedPod): boolean => hasFinalizer(pod, trackingFinalizer);

export const isIndexed = ({ spec }: CachedJob): boolean => spec?.completionMode === "Indexed";

export const completionsOf = ({ spec }: CachedJob): number => spec?.completions ?? 0;

/** Each index of such a Job has failures and a back-off of its own. */
export const hasBackoffLimitPerIndex = ({ spec }: CachedJob): boolean => spec?.backoffLimitPerIndex !== undefined;

export const isSuspended = ({ spec }: CachedJob): boolean => spec?.suspend === true;

/** Another controller's name; undefined: the Job is ours. */
export const externalManagerOf = ({ spec }: CachedJob): string | undefined =>
  spec?.managedBy === ownName ? undefined : spec?.managedBy;

export const conditionOf = (
  status: CachedJobStatus | undefined,
  type: CachedJobCondition["type"],
): CachedJobCondition | undefined => status?.conditions?.find((condition) => condition.type === type);

/** "Complete" or "Failed" once the Job is over. */
export const finishedTypeOf = ({ status }: CachedJob): "Complete" | "Failed" | undefined =>
  (["Complete", "Failed"] as const).find((type) => conditionOf(status, type)?.status === "True");

export const isJobFinished = (job: CachedJob): boolean => finishedTypeOf(job) !== undefined;

/** Whether pods are replaced only after they have ended, and not while they are being deleted. */
export const replacesOnlyFailed = ({ spec }: CachedJob): boolean =>
  spec?.podReplacementPolicy === "Failed" || spec?.podFailurePolicy !== undefined;

/** A pod that is being deleted counts too: an orphan of a lost node never comes to the phase Failed. */
export const isPodFailed = (pod: CachedPod, job: CachedJob): boolean =>
  pod.status?.phase === "Failed" ||
  (!replacesOnlyFailed(job) && isBeingDeleted(pod) && pod.status?.phase !== "Succeeded");
