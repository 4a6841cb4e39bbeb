import { keyOf } from "@coxswain/client/informers";
import type { WorkResult } from "@coxswain/client/queue";
import { selectorOf } from "../controller/object-facts.js";
import { referenceOf } from "../pods/pod-control.js";
import { carryOut } from "./carry-out.js";
import { claimPods, claimRevisions } from "./claim-owned.js";
import { type CachedDaemonSet, type CachedNode, daemonSetKind, fitsNode } from "./daemon-pod.js";
import { type DaemonSetWork } from "./daemon-set-work.js";
import { hashOf, planTruncation, syncHistory } from "./history.js";
import { byNode, type DaemonSetState, type NodesPlan, planNodes } from "./plan.js";
import { planUpdate } from "./plan-update.js";
import { writeStatus } from "./write-status.js";

/** The cache that is waited for wakes its DaemonSet; this is for the case that it never does. */
const behindMs = 1000;

/** Brings the pods and the status of one DaemonSet in line with its spec. */
export async function reconcileDaemonSet(work: DaemonSetWork, key: string): Promise<WorkResult> {
  const { client, clock, consistency, expectations, recorder } = work;
  if (consistency.behind(key)) return { requeueAfterMs: behindMs };
  const daemonSet = work.daemonSets.getByKey(key);
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
  const owned = await claimPods(work, daemonSet, selector);
  const history = await syncHistory(client, daemonSet, await claimRevisions(work, daemonSet, selector), owned);
  const state: DaemonSetState = {
    daemonSet,
    nodes: work.nodes.list(),
    podsByNode: byNode(owned),
    fits: memoized((node) => fitsNode(daemonSet, node, work.tolerations)),
    hash: hashOf(history.current),
    now: clock.now(),
  };
  if (!expectations.both.isSatisfied(key)) return writeStatus(work, state, false);
  const failed = failedPods(work, daemonSet);
  const managed = planNodes(state, failed.mayDelete);
  reportEnded(work, daemonSet, managed);
  const isSettled = managed.create.length === 0 && managed.remove.length === 0;
  const isRolling = daemonSet.spec?.updateStrategy?.type === "RollingUpdate";
  const failure = await carryOut(work, key, state, isSettled && isRolling ? planUpdate(state) : managed);
  if (failure === undefined)
    for (const { metadata } of planTruncation(daemonSet, history.old, owned))
      await client.apps.v1.controllerrevisions(metadata?.namespace ?? "").delete(metadata?.name ?? "");
  const result = await writeStatus(work, state, true);
  if (failure !== undefined) throw failure;
  return failed.waitMs === undefined
    ? result
    : { requeueAfterMs: Math.min(failed.waitMs, result?.requeueAfterMs ?? Number.POSITIVE_INFINITY) };
}

/** Failed pods of a node are deleted at growing intervals, lest a pod that fails at once keeps the node busy. */
function failedPods({ backoff, clock }: DaemonSetWork, { metadata, status }: CachedDaemonSet) {
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

function reportEnded({ recorder }: DaemonSetWork, daemonSet: CachedDaemonSet, { failed, succeeded }: NodesPlan): void {
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

/** Asked once per node. */
function memoized<T>(decide: (node: CachedNode) => T): (node: CachedNode) => T {
  const known = new Map<CachedNode, T>();
  return (node) => {
    const decided = known.get(node) ?? decide(node);
    known.set(node, decided);
    return decided;
  };
}
