import type { Job, JobStatus } from "@coxswain/api/batch/v1";
import type { Pod } from "@coxswain/api/core/v1";
import { formatTime } from "@coxswain/apimachinery/time";
import { type TestPod, testPod } from "../pods/pods.test.support.js";
import { completionIndexName, indexFailureCountName } from "./completion-index.js";
import { trackingFinalizer } from "./job-state.js";
import { type JobInputs, planJob } from "./plan.js";

export const now = Date.UTC(2026, 0, 1);
export const ago = (seconds: number): string => formatTime(now - seconds * 1000);
export type Spec = Partial<NonNullable<Job["spec"]>>;
export const jobOf = (spec: Spec = {}, status: JobStatus = {}): Job => ({
  metadata: { name: "work", namespace: "default", uid: "job" },
  spec: {
    parallelism: 1,
    backoffLimit: 6,
    template: { metadata: { labels: { app: "work" } }, spec: { restartPolicy: "Never", containers: [] } },
    ...spec,
  },
  status,
});
let serial = 0;
/** Tracked unless `counted`; failed a minute ago where it failed. */
export const pod = (
  phase: TestPod["phase"],
  {
    index,
    failures,
    counted = false,
    ...more
  }: TestPod & { index?: number; failures?: number; counted?: boolean } = {},
): Pod => {
  const annotations = {
    ...(index !== undefined && { [completionIndexName]: String(index) }),
    ...(failures !== undefined && { [indexFailureCountName]: String(failures) }),
  };
  const made = testPod({ name: `p${serial++}`, ...(phase && { phase }), annotations, node: "n", ...more });
  return {
    ...made,
    metadata: { ...made.metadata, creationTimestamp: ago(60), ...(!counted && { finalizers: [trackingFinalizer] }) },
  };
};
export const many = (count: number, make: (index: number) => Pod): Pod[] =>
  Array.from({ length: count }, (_, at) => make(at));
export const inputs = (job: Job, pods: Pod[] = [], more: Partial<JobInputs> = {}): JobInputs => ({
  job,
  pods,
  released: new Set(),
  isSettled: true,
  backoff: { failures: 0, lastFailureMs: 0 },
  now,
  ...more,
});
/** "create 2", "create 0,1", "remove 1", "end 3", "wait", "keep", "hold". */
export const actionOf = (given: JobInputs): string => {
  const { pods } = planJob(given);
  switch (pods.kind) {
    case "create":
      return `create ${pods.indexes?.join() ?? pods.count}`;
    case "remove":
    case "end":
      return `${pods.kind} ${pods.pods.length}`;
    default:
      return pods.kind;
  }
};
export const indexed = (completions: number, more: Spec = {}): Spec => ({
  completionMode: "Indexed",
  completions,
  parallelism: completions,
  ...more,
});
