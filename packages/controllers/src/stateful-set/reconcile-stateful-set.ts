import type { StatefulSet, StatefulSetStatus } from "@coxswain/api/apps/v1";
import type { Selector } from "@coxswain/apimachinery/selector";
import { isConflict } from "@coxswain/apimachinery/status";
import { claimObjects } from "@coxswain/client/controller";
import type { WorkResult } from "@coxswain/client/queue";
import { selectorOf } from "../controller/object-facts.js";
import { templateOf } from "../controller-revisions/revision-data.js";
import { checkCanAdopt } from "../pods/can-adopt.js";
import { type CachedPod, nextAvailability } from "../pods/pod-state.js";
import { slowStart } from "../pods/slow-start.js";
import { type CachedStatefulSet, isMemberOf, statefulSetKind } from "./identity.js";
import { isStatusNew, planStatefulSet, type StatefulSetPlan } from "./plan.js";
import { planTruncation, type SetRevisions, syncRevisions } from "./revisions.js";
import { carryOutStep } from "./stateful-pod-control.js";
import { ownerOf, type StatefulSetWork, setResource } from "./stateful-set-work.js";

/** The cache that is waited for wakes its set; this is for the case that it never does. */
const behindMs = 1000;

/** The set with the template of a revision. */
const at = (set: CachedStatefulSet, revision: SetRevisions["current"]): CachedStatefulSet =>
  set.spec ? { ...set, spec: { ...set.spec, template: templateOf(revision) } } : set;

/** Brings one set in line: its revisions, its pods and claims, its status. */
export async function reconcileStatefulSet(work: StatefulSetWork, key: string): Promise<WorkResult> {
  if (work.consistency.behind(key)) {
    work.waiting.add(key);
    return { requeueAfterMs: behindMs };
  }
  const set = work.setByKey(key);
  if (!set) return work.consistency.clear(key);
  const selector = selectorOf(set);
  const canAdopt = (): Promise<void> =>
    checkCanAdopt("StatefulSet", set, () =>
      work.client.apps.v1.statefulsets(set.metadata?.namespace ?? "").get(set.metadata?.name ?? ""),
    );
  await work.history.adoptOrphans(set, work.history.list(set, selector), canAdopt);
  const owned = await claimPods(work, set, selector, canAdopt);
  const revisions = work.history.list(set, selector);
  const synced = await syncRevisions(set, revisions, work.history);
  const now = work.now();
  const plan = planStatefulSet({
    set,
    current: { set: at(set, synced.current), revision: synced.current.metadata?.name ?? "" },
    update: { set: at(set, synced.update), revision: synced.update.metadata?.name ?? "" },
    collisionCount: synced.collisionCount,
    pods: owned,
    claim: (name) => work.claim(set.metadata?.namespace ?? "", name),
    now,
    hasMaxUnavailable: work.hasMaxUnavailable,
  });
  const failure = await runPhases(work, set, at(set, synced.update), plan);
  const status = failure ? plan.statusOnFailure : plan.status;
  if (isStatusNew(set.status, status)) await writeStatus(work, set, status);
  for (const revision of planTruncation(set, owned, revisions, synced)) await work.history.delete(revision);
  if (failure) throw failure.error;
  const minReadySeconds = set.spec?.minReadySeconds ?? 0;
  if (minReadySeconds > 0 && status.readyReplicas !== status.availableReplicas)
    return { requeueAfterMs: nextAvailability(owned, minReadySeconds, now) ?? minReadySeconds * 1000 };
}

const claimPods = (
  { podsOf, client }: StatefulSetWork,
  set: CachedStatefulSet,
  selector: Selector,
  canAdopt: () => Promise<void>,
): Promise<CachedPod[]> =>
  claimObjects(podsOf(set), {
    controller: set,
    kind: statefulSetKind,
    selector,
    filter: (pod) => isMemberOf(set, pod),
    canAdopt,
    patch: ({ metadata }, patch) =>
      client.core.v1
        .pods(metadata?.namespace ?? "")
        .patch(metadata?.name ?? "", { strategic: patch as Record<string, unknown> }),
  });

/** Answers the first failure; nothing is done after it but what was begun. */
async function runPhases(
  work: StatefulSetWork,
  set: CachedStatefulSet,
  update: CachedStatefulSet,
  { phases, isOrdered }: StatefulSetPlan,
): Promise<{ readonly error: unknown } | undefined> {
  for (const phase of phases) {
    const carryOut = async (index: number): Promise<void> => {
      for (const step of phase[index] ?? []) await carryOutStep(work, set, update, step);
    };
    if (!isOrdered) {
      const { successes, error } = await slowStart(phase.length, carryOut);
      if (successes < phase.length) return { error };
      continue;
    }
    try {
      for (const index of phase.keys()) await carryOut(index);
    } catch (error) {
      return { error };
    }
  }
  return undefined;
}

/** Once more, on the newest state, when somebody else wrote meanwhile. */
async function writeStatus(
  { client, consistency }: StatefulSetWork,
  set: CachedStatefulSet,
  status: StatefulSetStatus,
): Promise<void> {
  const { namespace = "", name = "" } = set.metadata ?? {};
  const owners = client.apps.v1.statefulsets(namespace);
  const written = await owners.updateStatus({ ...(set as StatefulSet), status }).catch(async (error: unknown) => {
    if (!isConflict(error)) throw error;
    return owners.updateStatus({ ...(await owners.get(name)), status });
  });
  consistency.wroteAt(ownerOf(set), setResource, written.metadata?.resourceVersion ?? "");
}
