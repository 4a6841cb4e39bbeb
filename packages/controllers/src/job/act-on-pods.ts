import { isNotFound } from "@coxswain/apimachinery/status";
import { uidOf } from "../controller/object-facts.js";
import { isNamespaceTerminating } from "../pods/pod-control.js";
import { type CachedPod, isPodReady } from "../pods/pod-state.js";
import { slowStart } from "../pods/slow-start.js";
import { indexedTemplate, jobTemplate } from "./job-pod.js";
import { type CachedJob, isTracked } from "./job-state.js";
import { type JobWork } from "./job-work.js";
import { releasePatch } from "./orphan-pods.js";
import type { JobPlan } from "./plan.js";
import type { PodsResult } from "./plan-status.js";

/** What is active, ready and terminating afterwards. */
export async function actOnPods(
  work: JobWork,
  key: string,
  plan: JobPlan,
): Promise<PodsResult & { readonly error?: unknown }> {
  const { inputs, active, ready, terminating } = plan;
  const before = { active: active.length, ready, terminating, isDone: true };
  switch (plan.pods.kind) {
    case "hold":
    case "keep":
    case "wait":
      return before;
    case "create":
      return { ...before, ...(await createPods(work, key, plan, plan.pods)) };
    case "end":
    case "remove": {
      const isCounted = plan.pods.kind === "end";
      if (!isCounted) work.expectations.expectDeletions(key, plan.pods.pods.map(uidOf));
      const { removed, error } = await deletePods(work, key, inputs.job, plan.pods.pods, isCounted);
      return {
        active: active.length - removed.length,
        ready: ready - removed.filter(isPodReady).length,
        terminating: terminating + removed.length,
        isDone: removed.length === plan.pods.pods.length,
        ...(error !== undefined && { error }),
      };
    }
  }
}

async function createPods(
  { podControl, expectations, metrics }: JobWork,
  key: string,
  plan: JobPlan,
  { count, indexes }: { readonly count: number; readonly indexes?: readonly number[] },
): Promise<{ readonly active: number; readonly error?: unknown }> {
  const { job } = plan.inputs;
  const template = jobTemplate(job);
  expectations.expectCreations(key, count);
  let [ignored, failed] = [0, 0];
  const { successes, error } = await slowStart(count, async (position) => {
    const index = indexes?.[position];
    try {
      if (index === undefined) return await podControl.create(job, template);
      const pod = indexedTemplate(job, index, plan.replaceable.get(index));
      return await podControl.create(job, pod.template, { generateName: pod.generateName });
    } catch (failure) {
      if (!isNamespaceTerminating(failure)) {
        failed++;
        throw failure;
      }
      // Every creation in it fails, and the namespace takes the Job with it.
      ignored++;
      return undefined;
    }
  });
  for (let skipped = successes; skipped < count; skipped++) expectations.creationObserved(key);
  metrics.created(creationReason(plan), { succeeded: successes - ignored, failed });
  return { active: plan.active.length + successes, ...(error !== undefined && { error }) };
}

/** Those that do not count lose their finalizer first. */
async function deletePods(
  { podControl, expectations }: JobWork,
  key: string,
  job: CachedJob,
  victims: readonly CachedPod[],
  isCounted: boolean,
): Promise<{ readonly removed: readonly CachedPod[]; readonly error?: unknown }> {
  const failures: unknown[] = [];
  const removed: CachedPod[] = [];
  await Promise.all(
    victims.map(async (pod) => {
      try {
        if (!isCounted && isTracked(pod)) await podControl.patch(pod, releasePatch);
        await podControl.delete(job, pod);
        removed.push(pod);
      } catch (error) {
        expectations.deletionObserved(key, uidOf(pod));
        if (isNotFound(error)) removed.push(pod);
        else failures.push(error);
      }
    }),
  );
  return { removed, ...(failures.length > 0 && { error: failures[0] }) };
}

/** The label of the metric: why pods are created. */
function creationReason({ inputs: { job }, failed, terminating }: JobPlan): string {
  if (job.spec?.podReplacementPolicy === "Failed" && failed > 0) return "recreate_failed";
  return failed > 0 || terminating > 0 ? "recreate_terminating_or_failed" : "new";
}
