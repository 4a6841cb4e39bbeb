import type { ReplicaSetStatus } from "@coxswain/api/apps/v1";
import { isNotFound } from "@coxswain/apimachinery/status";
import { claimObjects } from "@coxswain/client/controller";
import { createLister, keyOf } from "@coxswain/client/informers";
import type { WorkResult } from "@coxswain/client/queue";
import { uidOf } from "../controller/object-facts.js";
import { checkCanAdopt } from "../pods/can-adopt.js";
import { isControlledBy } from "../pods/controller-ref.js";
import { isNamespaceTerminating, messageOf } from "../pods/pod-control.js";
import { type CachedPod, isPodActive, isPodTerminating, nextAvailability } from "../pods/pod-state.js";
import { podsOfOwner } from "../pods/pods-of-owner.js";
import { slowStart } from "../pods/slow-start.js";
import { planReplicas, planStatus, type ReplicaOwner, type ReplicasPlan } from "./plan.js";

import type { ReplicaWork } from "./replica-work.js";

/** A key whose caches are behind is woken by what they wait for; this is for the case that it never comes. */
const behindMs = 1000;

/** Brings the pods of one owner in line with it, and its status in line with the pods. */
export async function reconcileReplicas<T extends ReplicaOwner>(
  work: ReplicaWork<T>,
  key: string,
): Promise<WorkResult> {
  if (work.consistency.behind(key)) return { requeueAfterMs: behindMs };
  const owner = work.owners.getByKey(key);
  if (!owner) {
    work.consistency.clear(key);
    work.expectations.forget(key);
    return;
  }
  const { kind } = work.replicas;
  const mayAct = work.expectations.isSatisfied(key);
  const selector = work.replicas.selectorOf(owner);
  const all = podsOfOwner(work.pods, owner, kind.kind);
  const active = await claimObjects(all.filter(isPodActive), {
    controller: owner,
    kind,
    selector,
    canAdopt: () => checkCanAdopt(kind.kind, owner, () => work.replicas.get(owner)),
    patch: (pod, patch) => work.podControl.patch(pod, patch),
  });
  const terminating = work.replicas.hasTerminatingReplicas
    ? all.filter((pod) => isPodTerminating(pod) && isControlledBy(pod, owner) && selector.matches(pod.metadata?.labels))
    : undefined;
  let failure: unknown;
  if (mayAct && !owner.metadata?.deletionTimestamp) {
    const { hasDeletionCost } = work;
    const related = (): CachedPod[] => relatedPods(work, owner);
    const plan = planReplicas(owner, { active, related, now: work.now(), hasDeletionCost });
    failure = await carryOut(work, key, owner, plan);
  }
  const now = work.now();
  const message = failure === undefined ? undefined : messageOf(failure);
  const status = planStatus(owner, { active, terminating, failure: message, now });
  const written = status ? await writeStatus(work, key, owner, status) : owner;
  if (failure !== undefined) throw failure;
  const { minReadySeconds = 0 } = written.spec ?? {};
  const { readyReplicas = 0, availableReplicas = 0 } = written.status ?? {};
  if (minReadySeconds > 0 && readyReplicas !== availableReplicas)
    return { requeueAfterMs: nextAvailability(active, minReadySeconds, now) ?? minReadySeconds * 1000 };
}

/** Answers the first failure. */
async function carryOut<T extends ReplicaOwner>(
  { expectations, podControl }: ReplicaWork<T>,
  key: string,
  owner: T,
  { create, remove }: ReplicasPlan,
): Promise<unknown> {
  const template = owner.spec?.template;
  if (create > 0 && template) {
    expectations.expectCreations(key, create);
    const { successes, error } = await slowStart(create, () =>
      podControl.create(owner, template).catch((failure: unknown) => {
        // Every creation in it fails, and the namespace takes the owner with it.
        if (!isNamespaceTerminating(failure)) throw failure;
      }),
    );
    for (let skipped = successes; skipped < create; skipped++) expectations.creationObserved(key);
    return error;
  }
  if (remove.length === 0) return undefined;
  expectations.expectDeletions(key, remove.map(uidOf));
  const failures: unknown[] = [];
  await Promise.all(
    remove.map((pod) =>
      podControl.delete(owner, pod).catch((error: unknown) => {
        expectations.deletionObserved(key, uidOf(pod));
        if (!isNotFound(error)) failures.push(error);
      }),
    ),
  );
  return failures[0];
}

/** Once more, on the newest state, when somebody else wrote meanwhile. */
async function writeStatus<T extends ReplicaOwner>(
  { replicas, consistency }: ReplicaWork<T>,
  key: string,
  owner: T,
  status: ReplicaSetStatus,
): Promise<T> {
  const written = await replicas
    .updateStatus(owner, status)
    .catch(async () => replicas.updateStatus(await replicas.get(owner), status));
  const { uid = "", resourceVersion = "" } = written.metadata ?? {};
  consistency.wroteAt({ key, uid: owner.metadata?.uid ?? uid }, replicas.resource, resourceVersion);
  return written;
}

/** The pods of all ReplicaSets that the owner's Deployment has. */
function relatedPods<T extends ReplicaOwner>({ replicas, pods }: ReplicaWork<T>, owner: T): CachedPod[] {
  const related = new Map<string, CachedPod>();
  for (const sibling of replicas.siblingsOf(owner)) {
    const { namespace = "" } = sibling.metadata ?? {};
    for (const pod of createLister(pods).namespace(namespace).list(replicas.selectorOf(sibling)))
      related.set(keyOf(pod), pod);
  }
  return [...related.values()];
}
