import type { StatefulSet, StatefulSetStatus } from "@coxswain/api/apps/v1";
import type { Selector } from "@coxswain/apimachinery/selector";
import { isConflict } from "@coxswain/apimachinery/status";
import { claimObjects, createConsistencyStore } from "@coxswain/client/controller";
import { keyOf } from "@coxswain/client/informers";
import type { WorkResult } from "@coxswain/client/queue";
import type { Controller } from "../controller/controller.js";
import { selectorOf } from "../controller/object-facts.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import { templateOf } from "../controller-revisions/revision-data.js";
import { createRevisionHistory } from "../controller-revisions/revision-history.js";
import { checkCanAdopt } from "../pods/can-adopt.js";
import { mayAdopt } from "../pods/may-adopt.js";
import { type CachedPod, nextAvailability } from "../pods/pod-state.js";
import { podsByController, podsOfOwner } from "../pods/pods-of-owner.js";
import { slowStart } from "../pods/slow-start.js";
import { watchPods } from "../pods/watch-pods.js";
import { type CachedStatefulSet, isMemberOf, statefulSetKind } from "./identity.js";
import { isStatusNew, planStatefulSet, type StatefulSetPlan } from "./plan.js";
import { planTruncation, type SetRevisions, syncRevisions } from "./revisions.js";
import { createStatefulPodControl } from "./stateful-pod-control.js";

/** Keeps pods with a number, a name and storage of their own, and brings them to the set's template one after the other. */
export const statefulSetController: Controller = {
  name: "statefulset-controller",
  aliases: ["statefulset"],
  serviceAccount: "statefulset-controller",
  start(context) {
    const { client, informers, gates, settings, runtime } = context;
    const sets = informers.of("apps", "v1", "statefulsets");
    const pods = informers.of("core", "v1", "pods", { indexers: podsByController });
    const claims = informers.of("core", "v1", "persistentvolumeclaims");
    const history = createRevisionHistory(client, informers.of("apps", "v1", "controllerrevisions"), statefulSetKind);
    const setResource = { group: "apps", resource: "statefulsets" };
    const consistency = createConsistencyStore(
      gates.enabled("StaleControllerConsistencyStatefulSet")
        ? [
            { resource: { group: "", resource: "pods" }, cache: pods.indexer },
            { resource: { group: "", resource: "persistentvolumeclaims" }, cache: claims.indexer },
            { resource: setResource, cache: sets.indexer },
          ]
        : [],
    );
    const claimByName = (namespace: string, name: string) => claims.indexer.getByKey(`${namespace}/${name}`);
    const carryOut = createStatefulPodControl({
      client,
      recorder: context.recorder("statefulset-controller"),
      claim: claimByName,
      onWrite: (set, resource, version) => consistency.wroteAt(ownerOf(set), { group: "", resource }, version),
    });
    /** Sets whose claims the cache has not seen yet. Claims wake nobody else. */
    const waiting = new Set<string>();

    const loop = createReconcileLoop(context, {
      name: "statefulset",
      workers: settings.concurrency?.["statefulset-controller"] ?? 5,
      reconcile,
    });
    loop.handle(sets, {
      onAdd: (set) => loop.queue.add(keyOf(set)),
      onUpdate: (_, set) => loop.queue.add(keyOf(set)),
      onDelete: (set) => loop.queue.add(keyOf(set)),
    });
    const wakeWaiting = (): void => {
      for (const key of waiting) loop.queue.add(key);
      waiting.clear();
    };
    loop.handle(claims, { onAdd: wakeWaiting, onUpdate: wakeWaiting });
    watchPods(loop, pods, {
      kind: statefulSetKind.kind,
      ownerByKey: (key) => sets.indexer.getByKey(key),
      mayAdopt: (pod) => mayAdopt(sets.indexer, selectorOf, pod),
      minReadySeconds: ({ spec }) => spec?.minReadySeconds ?? 0,
    });

    async function reconcile(key: string): Promise<WorkResult> {
      if (consistency.behind(key)) {
        waiting.add(key);
        return { requeueAfterMs: behindMs };
      }
      const set = sets.indexer.getByKey(key);
      if (!set) return consistency.clear(key);
      const selector = selectorOf(set);
      const canAdopt = (): Promise<void> =>
        checkCanAdopt("StatefulSet", set, () =>
          client.apps.v1.statefulsets(set.metadata?.namespace ?? "").get(set.metadata?.name ?? ""),
        );
      await history.adoptOrphans(set, history.list(set, selector), canAdopt);
      const owned = await claimPods(set, selector, canAdopt);
      const revisions = history.list(set, selector);
      const synced = await syncRevisions(set, revisions, history);
      const now = runtime.clock.now();
      const plan = planStatefulSet({
        set,
        current: { set: at(set, synced.current), revision: synced.current.metadata?.name ?? "" },
        update: { set: at(set, synced.update), revision: synced.update.metadata?.name ?? "" },
        collisionCount: synced.collisionCount,
        pods: owned,
        claim: (name) => claimByName(set.metadata?.namespace ?? "", name),
        now,
        hasMaxUnavailable: gates.enabled("MaxUnavailableStatefulSet"),
      });
      const failure = await runPhases(set, at(set, synced.update), plan);
      const status = failure ? plan.statusOnFailure : plan.status;
      if (isStatusNew(set.status, status)) await writeStatus(set, status);
      for (const revision of planTruncation(set, owned, revisions, synced)) await history.delete(revision);
      if (failure) throw failure.error;
      const minReadySeconds = set.spec?.minReadySeconds ?? 0;
      if (minReadySeconds > 0 && status.readyReplicas !== status.availableReplicas)
        return { requeueAfterMs: nextAvailability(owned, minReadySeconds, now) ?? minReadySeconds * 1000 };
    }

    const claimPods = (
      set: CachedStatefulSet,
      selector: Selector,
      canAdopt: () => Promise<void>,
    ): Promise<CachedPod[]> =>
      claimObjects(podsOfOwner(pods.indexer, set, statefulSetKind.kind), {
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
      set: CachedStatefulSet,
      update: CachedStatefulSet,
      { phases, isOrdered }: StatefulSetPlan,
    ): Promise<{ readonly error: unknown } | undefined> {
      for (const phase of phases) {
        const work = async (index: number): Promise<void> => {
          for (const step of phase[index] ?? []) await carryOut(set, update, step);
        };
        if (!isOrdered) {
          const { successes, error } = await slowStart(phase.length, work);
          if (successes < phase.length) return { error };
          continue;
        }
        try {
          for (const index of phase.keys()) await work(index);
        } catch (error) {
          return { error };
        }
      }
      return undefined;
    }

    /** Once more, on the newest state, when somebody else wrote meanwhile. */
    async function writeStatus(set: CachedStatefulSet, status: StatefulSetStatus): Promise<void> {
      const { namespace = "", name = "" } = set.metadata ?? {};
      const owners = client.apps.v1.statefulsets(namespace);
      const written = await owners.updateStatus({ ...(set as StatefulSet), status }).catch(async (error: unknown) => {
        if (!isConflict(error)) throw error;
        return owners.updateStatus({ ...(await owners.get(name)), status });
      });
      consistency.wroteAt(ownerOf(set), setResource, written.metadata?.resourceVersion ?? "");
    }
    return loop;
  },
};

/** The cache that is waited for wakes its set; this is for the case that it never does. */
const behindMs = 1000;

const ownerOf = (set: CachedStatefulSet) => ({ key: keyOf(set), uid: set.metadata?.uid ?? "" });

/** The set with the template of a revision. */
const at = (set: CachedStatefulSet, revision: SetRevisions["current"]): CachedStatefulSet =>
  set.spec ? { ...set, spec: { ...set.spec, template: templateOf(revision) } } : set;
