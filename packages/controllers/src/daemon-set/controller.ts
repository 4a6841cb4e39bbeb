import type { DaemonSet, DaemonSetStatus } from "@coxswain/api/apps/v1";
import { createKeyedBackoff } from "@coxswain/runtime/backoff";
import { equalJson } from "@coxswain/apimachinery/json";
import { labelSelectorFromObject, type Selector } from "@coxswain/apimachinery/selector";
import { isNotFound } from "@coxswain/apimachinery/status";
import {
  claimObjects,
  createConsistencyStore,
  createExpectations,
  type Expectations,
} from "@coxswain/client/controller";
import { createLister, keyOf } from "@coxswain/client/informers";
import type { WorkResult } from "@coxswain/client/queue";
import type { Controller } from "../controller/controller.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import type { CachedRevision } from "../controller-revisions/revision-data.js";
import { checkCanAdopt } from "../pods/can-adopt.js";
import { controllerRefOf } from "../pods/controller-ref.js";
import { mayAdopt } from "../pods/may-adopt.js";
import { createPodControl, isNamespaceTerminating, referenceOf } from "../pods/pod-control.js";
import type { CachedPod } from "../pods/pod-state.js";
import { podsByController, podsOfOwner } from "../pods/pods-of-owner.js";
import { slowStart } from "../pods/slow-start.js";
import { watchPods } from "../pods/watch-pods.js";
import { type CachedDaemonSet, type CachedNode, daemonSetKind, daemonTemplate, fitsNode } from "./daemon-pod.js";
import { hashOf, planTruncation, syncHistory } from "./history.js";
import { byNode, type DaemonSetState, type NodesPlan, planNodes, planStatus } from "./plan.js";
import { planUpdate, type UpdatePlan } from "./plan-update.js";

/** So many pods are created, and so many deleted, before the cache must have seen them. */
const burstReplicas = 250;
/** A failed pod is replaced after a second, then after two, up to so long. */
const failedPodBackoff = { initialMs: 1000, maxMs: 15 * 60_000 };
/** The cache that is waited for wakes its DaemonSet; this is for the case that it never does. */
const behindMs = 1000;

/** Keeps one pod of each DaemonSet on every node that it fits. */
export const daemonSetController: Controller = {
  name: "daemonset-controller",
  aliases: ["daemonset"],
  serviceAccount: "daemon-set-controller",
  start(context) {
    const { client, informers, gates, settings } = context;
    const { clock } = context.runtime;
    const daemonSets = informers.of("apps", "v1", "daemonsets");
    const revisions = informers.of("apps", "v1", "controllerrevisions");
    const pods = informers.of("core", "v1", "pods", { indexers: podsByController });
    const nodes = informers.of("core", "v1", "nodes");
    const recorder = context.recorder("daemonset-controller");
    const podResource = { group: "", resource: "pods" };
    const setResource = { group: "apps", resource: "daemonsets" };
    const consistency = createConsistencyStore(
      gates.enabled("StaleControllerConsistencyDaemonSet")
        ? [
            { resource: podResource, cache: pods.indexer },
            { resource: setResource, cache: daemonSets.indexer },
          ]
        : [],
    );
    const expectations = createBothExpectations(createExpectations({ clock }), createExpectations({ clock }));
    const backoff = createKeyedBackoff({ ...failedPodBackoff, clock });
    const tolerations = { comparison: gates.enabled("TaintTolerationComparisonOperators") };
    const podControl = createPodControl({
      client,
      recorder,
      kind: daemonSetKind,
      onWrite(pod) {
        const owner = controllerRefOf(pod);
        const { namespace, resourceVersion } = pod.metadata ?? {};
        if (owner && resourceVersion)
          consistency.wroteAt({ key: `${namespace}/${owner.name}`, uid: owner.uid }, podResource, resourceVersion);
      },
    });

    const loop = createReconcileLoop(context, {
      name: "daemonset",
      workers: settings.concurrency?.["daemonset-controller"] ?? 2,
      reconcile,
    });
    loop.handle(daemonSets, {
      onAdd: (daemonSet) => loop.queue.add(keyOf(daemonSet)),
      onUpdate(old, daemonSet) {
        if (old.metadata?.uid !== daemonSet.metadata?.uid) forget(old);
        loop.queue.add(keyOf(daemonSet));
      },
      onDelete(daemonSet) {
        forget(daemonSet);
        loop.queue.add(keyOf(daemonSet));
      },
    });
    watchPods(loop, pods, {
      kind: daemonSetKind.kind,
      ownerByKey: (key) => daemonSets.indexer.getByKey(key),
      mayAdopt: (pod) => mayAdopt(daemonSets.indexer, selectorOf, pod),
      expectations: expectations.both,
      minReadySeconds: ({ spec }) => spec?.minReadySeconds ?? 0,
    });
    loop.watchFor(nodes, (node, old) =>
      old && equalJson(old.metadata?.labels, node.metadata?.labels) && equalJson(old.spec?.taints, node.spec?.taints)
        ? []
        : daemonSets.indexer.list().map(keyOf),
    );

    function forget(daemonSet: CachedDaemonSet): void {
      consistency.clear(keyOf(daemonSet), daemonSet.metadata?.uid);
      expectations.both.forget(keyOf(daemonSet));
    }

    async function reconcile(key: string): Promise<WorkResult> {
      if (consistency.behind(key)) return { requeueAfterMs: behindMs };
      const daemonSet = daemonSets.indexer.getByKey(key);
      if (!daemonSet) {
        consistency.clear(key);
        expectations.both.forget(key);
        return;
      }
      const selector = selectorOf(daemonSet);
      if (selector.empty && !selector.nothing) {
        const message = "This daemon set is selecting all pods. A non-empty selector is required.";
        recorder.event(referenceOf(daemonSet, daemonSetKind), { type: "Warning", reason: "SelectingAll", message });
        return;
      }
      if (daemonSet.metadata?.deletionTimestamp) return;
      const owned = await claimPods(daemonSet, selector);
      const history = await syncHistory(client, daemonSet, await claimRevisions(daemonSet, selector), owned);
      const state: DaemonSetState = {
        daemonSet,
        nodes: nodes.indexer.list(),
        podsByNode: byNode(owned),
        fits: memoized((node) => fitsNode(daemonSet, node, tolerations)),
        hash: hashOf(history.current),
        now: clock.now(),
      };
      if (!expectations.both.isSatisfied(key)) return writeStatus(state, false);
      const failed = failedPods(daemonSet);
      const managed = planNodes(state, failed.mayDelete);
      reportEnded(daemonSet, managed);
      const isSettled = managed.create.length === 0 && managed.remove.length === 0;
      const isRolling = daemonSet.spec?.updateStrategy?.type === "RollingUpdate";
      const failure = await carryOut(key, state, isSettled && isRolling ? planUpdate(state) : managed);
      if (failure === undefined)
        for (const { metadata } of planTruncation(daemonSet, history.old, owned))
          await client.apps.v1.controllerrevisions(metadata?.namespace ?? "").delete(metadata?.name ?? "");
      const result = await writeStatus(state, true);
      if (failure !== undefined) throw failure;
      return failed.waitMs === undefined
        ? result
        : { requeueAfterMs: Math.min(failed.waitMs, result?.requeueAfterMs ?? Number.POSITIVE_INFINITY) };
    }

    /** Failed pods of a node are deleted at growing intervals, lest a pod that fails at once keeps the node busy. */
    function failedPods({ metadata, status }: CachedDaemonSet) {
      const result: { waitMs: number | undefined; mayDelete(node: string): boolean } = {
        waitMs: undefined,
        mayDelete(node) {
          const key = `${metadata?.uid}/${status?.observedGeneration ?? 0}/${node}`;
          const now = clock.now();
          if (!backoff.isInBackoffSinceUpdate(key, now)) {
            backoff.next(key, now);
            return true;
          }
          result.waitMs = Math.min(result.waitMs ?? Number.POSITIVE_INFINITY, backoff.get(key));
          return false;
        },
      };
      backoff.collect();
      return result;
    }

    function reportEnded(daemonSet: CachedDaemonSet, { failed, succeeded }: NodesPlan): void {
      const object = referenceOf(daemonSet, daemonSetKind);
      for (const { pod, node } of failed) {
        const message = `Found failed daemon pod ${keyOf(pod)} on node ${node}, will try to kill it`;
        recorder.event(object, { type: "Warning", reason: "FailedDaemonPod", message });
      }
      for (const { pod, node } of succeeded) {
        const message = `Found succeeded daemon pod ${keyOf(pod)} on node ${node}, will try to delete it`;
        recorder.event(object, { type: "Normal", reason: "SucceededDaemonPod", message });
      }
    }

    /** Answers the first failure. */
    async function carryOut(key: string, { daemonSet, hash }: DaemonSetState, plan: UpdatePlan): Promise<unknown> {
      const create = plan.create.slice(0, burstReplicas);
      const remove = plan.remove.slice(0, burstReplicas);
      const uidOf = ({ metadata }: CachedPod): string => metadata?.uid ?? "";
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

    async function writeStatus(state: DaemonSetState, isObserved: boolean): Promise<WorkResult> {
      const status = planStatus(state, isObserved);
      const { daemonSet } = state;
      if (status) await storeStatus(daemonSet, status);
      const { numberReady = 0, numberAvailable = 0 } = status ?? daemonSet.status ?? {};
      const minReadySeconds = daemonSet.spec?.minReadySeconds ?? 0;
      if (minReadySeconds > 0 && numberReady !== numberAvailable) return { requeueAfterMs: minReadySeconds * 1000 };
    }

    /** Once more, on the newest state, when somebody else wrote meanwhile. */
    async function storeStatus(daemonSet: CachedDaemonSet, status: DaemonSetStatus): Promise<void> {
      const { namespace = "", name = "", uid = "" } = daemonSet.metadata ?? {};
      const owners = client.apps.v1.daemonsets(namespace);
      // Other members stay as they are on the server: the count of collisions is written elsewhere.
      const write = (object: DaemonSet) => owners.updateStatus({ ...object, status: { ...object.status, ...status } });
      const written = await write(daemonSet as DaemonSet).catch(async () => write(await owners.get(name)));
      consistency.wroteAt({ key: keyOf(daemonSet), uid }, setResource, written.metadata?.resourceVersion ?? "");
    }

    const canAdopt = (daemonSet: CachedDaemonSet): Promise<void> => {
      const { namespace = "", name = "" } = daemonSet.metadata ?? {};
      return checkCanAdopt("DaemonSet", daemonSet, () => client.apps.v1.daemonsets(namespace).get(name));
    };

    const claimPods = (daemonSet: CachedDaemonSet, selector: Selector): Promise<CachedPod[]> =>
      claimObjects(podsOfOwner(pods.indexer, daemonSet, daemonSetKind.kind), {
        controller: daemonSet,
        kind: daemonSetKind,
        selector,
        canAdopt: () => canAdopt(daemonSet),
        patch: (pod, patch) => podControl.patch(pod, patch),
      });

    const claimRevisions = (daemonSet: CachedDaemonSet, selector: Selector): Promise<CachedRevision[]> => {
      const { namespace = "" } = daemonSet.metadata ?? {};
      return claimObjects(createLister(revisions.indexer).namespace(namespace).list(), {
        controller: daemonSet,
        kind: daemonSetKind,
        selector,
        canAdopt: () => canAdopt(daemonSet),
        patch: ({ metadata }, patch) =>
          client.apps.v1
            .controllerrevisions(namespace)
            .patch(metadata?.name ?? "", { strategic: patch as Record<string, unknown> }),
      });
    };
    return loop;
  },
};

const selectorOf = ({ spec }: CachedDaemonSet): Selector => labelSelectorFromObject(spec?.selector);

/** Asked once per node. */
function memoized<T>(decide: (node: CachedNode) => T): (node: CachedNode) => T {
  const known = new Map<CachedNode, T>();
  return (node) => {
    const decided = known.get(node) ?? decide(node);
    known.set(node, decided);
    return decided;
  };
}

/** Creations and deletions that are waited for at the same time; a tracker of its own for each, as expecting one forgets the other. */
function createBothExpectations(creations: Expectations, deletions: Expectations) {
  const both: Expectations = {
    ...creations,
    isSatisfied: (key) => creations.isSatisfied(key) && deletions.isSatisfied(key),
    deletionObserved: (key, uid) => deletions.deletionObserved(key, uid),
    forget(key) {
      creations.forget(key);
      deletions.forget(key);
    },
  };
  return { creations, deletions, both };
}
