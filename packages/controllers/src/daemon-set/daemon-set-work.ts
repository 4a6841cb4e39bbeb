import type { Client } from "@coxswain/client";
import { createExpectations, type Expectations } from "@coxswain/client/controller";
import type { EventRecorder } from "@coxswain/client/events";
import type { ReadonlyIndexer } from "@coxswain/client/informers";
import { createKeyedBackoff, type KeyedBackoff } from "@coxswain/runtime/backoff";
import type { Clock } from "@coxswain/runtime/clock";
import type { ControllerContext } from "../controller/controller.js";
import type { CachedRevision } from "../controller-revisions/revision-data.js";
import type { CachedPod } from "../pods/pod-state.js";
import { createPodWrites, type PodWrites } from "../pods/pod-writes.js";
import { type CachedDaemonSet, type CachedNode, daemonSetKind } from "./daemon-pod.js";

/** A failed pod is replaced after a second, then after two, up to so long. */
const failedPodBackoff = { initialMs: 1000, maxMs: 15 * 60_000 };
export const setResource = { group: "apps", resource: "daemonsets" };

export interface DaemonSetCaches {
  readonly daemonSets: ReadonlyIndexer<CachedDaemonSet>;
  readonly revisions: ReadonlyIndexer<CachedRevision>;
  readonly pods: ReadonlyIndexer<CachedPod>;
  readonly nodes: ReadonlyIndexer<CachedNode>;
}

/** What the work on all DaemonSets shares: how to read and write, and what is known before the caches show it. */
export interface DaemonSetWork extends DaemonSetCaches, PodWrites {
  readonly client: Client;
  readonly clock: Clock;
  readonly recorder: EventRecorder;
  readonly expectations: BothExpectations;
  readonly backoff: KeyedBackoff;
  readonly tolerations: { readonly comparison: boolean };
}

export function createDaemonSetWork(context: ControllerContext, caches: DaemonSetCaches): DaemonSetWork {
  const { client, gates } = context;
  const { clock } = context.runtime;
  const { daemonSets, pods } = caches;
  const recorder = context.recorder("daemonset-controller");
  const expectations = createBothExpectations(createExpectations({ clock }), createExpectations({ clock }));
  const backoff = createKeyedBackoff({ ...failedPodBackoff, clock });
  const tolerations = { comparison: gates.enabled("TaintTolerationComparisonOperators") };
  const writes = createPodWrites({
    client,
    recorder,
    kind: daemonSetKind,
    pods,
    owners: daemonSets,
    resource: setResource,
    isConsistent: gates.enabled("StaleControllerConsistencyDaemonSet"),
  });
  return { ...caches, ...writes, client, clock, recorder, expectations, backoff, tolerations };
}

interface BothExpectations {
  readonly creations: Expectations;
  readonly deletions: Expectations;
  readonly both: Expectations;
}

/** Creations and deletions that are waited for at the same time; a tracker of its own for each, as expecting one forgets the other. */
function createBothExpectations(creations: Expectations, deletions: Expectations): BothExpectations {
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
