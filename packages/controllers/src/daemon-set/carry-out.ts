import { isNotFound } from "@coxswain/apimachinery/status";
import { uidOf } from "../controller/object-facts.js";
import { isNamespaceTerminating } from "../pods/pod-control.js";
import { slowStart } from "../pods/slow-start.js";
import { daemonTemplate } from "./daemon-pod.js";
import type { DaemonSetWork } from "./daemon-set-work.js";
import type { DaemonSetState } from "./plan.js";
import type { UpdatePlan } from "./plan-update.js";

/** So many pods are created, and so many deleted, before the cache must have seen them. */
const burstReplicas = 250;

/** Answers the first failure. */
export async function carryOut(
  { podControl, expectations }: DaemonSetWork,
  key: string,
  { daemonSet, hash }: DaemonSetState,
  plan: UpdatePlan,
): Promise<unknown> {
  const create = plan.create.slice(0, burstReplicas);
  const remove = plan.remove.slice(0, burstReplicas);
  expectations.creations.expectCreations(key, create.length);
  expectations.deletions.expectDeletions(key, remove.map(uidOf));
  const { successes, error } = await slowStart(create.length, (index) =>
    podControl.create(daemonSet, daemonTemplate(daemonSet, hash, create[index] ?? "")).catch((failure: unknown) => {
      // Every creation in it fails, and the namespace takes the DaemonSet with it.
      if (!isNamespaceTerminating(failure)) throw failure;
    }),
  );
  for (let skipped = successes; skipped < create.length; skipped++) expectations.creations.creationObserved(key);
  const failures: unknown[] = successes < create.length ? [error] : [];
  await Promise.all(
    remove.map((pod) =>
      podControl.delete(daemonSet, pod).catch((failure: unknown) => {
        expectations.deletions.deletionObserved(key, uidOf(pod));
        if (!isNotFound(failure)) failures.push(failure);
      }),
    ),
  );
  return failures[0];
}
