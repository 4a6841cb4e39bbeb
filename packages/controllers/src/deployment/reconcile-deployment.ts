import type { Deployment } from "@coxswain/api/apps/v1";
import type { Client } from "@coxswain/client";
import type { EventRecorder } from "@coxswain/client/events";
import type { WorkResult } from "@coxswain/client/queue";
import { referenceOf } from "../pods/pod-control.js";
import { type CachedPod, isPodTerminal } from "../pods/pod-state.js";
import type { CachedReplicaSet } from "../replica-set/replica-sets-of-owner.js";
import { withCondition } from "./conditions.js";
import { type CachedDeployment, isRollingUpdate, kindOfDeployment, replicasOf, sum } from "./deployment-strategy.js";
import { activeOf, type FoundReplicaSets, findReplicaSets } from "./find-replica-sets.js";
import { planCleanup } from "./plan-cleanup.js";
import { planPaused } from "./plan-paused.js";
import { planRolling } from "./plan-rolling.js";
import { isScalingEvent, planScale } from "./plan-scale.js";
import { equalStatus, isComplete, nextProgressCheck, planRolloutStatus, planStatus } from "./plan-status.js";
import type { ReplicaSetWrites } from "./replica-set-writes.js";
import { rollbackTarget } from "./revision.js";
import { planRollback } from "./rollback.js";

export interface DeploymentReconcilerOptions {
  readonly client: Client;
  readonly recorder: EventRecorder;
  readonly writes: ReplicaSetWrites;
  /** In milliseconds. */
  readonly now: () => number;
  readonly hasTerminatingReplicas: boolean;
  /** From the cache. */
  readonly podsOf: (replicaSet: CachedReplicaSet) => readonly CachedPod[];
}

interface State {
  readonly deployment: CachedDeployment;
  readonly found: FoundReplicaSets;
}

/** One step of one Deployment, given its ReplicaSets. */
export function createDeploymentReconciler(options: DeploymentReconcilerOptions) {
  const { client, recorder, writes, now, hasTerminatingReplicas } = options;

  return async function reconcile(
    deployment: CachedDeployment,
    replicaSets: readonly CachedReplicaSet[],
  ): Promise<WorkResult> {
    const isLeaving = Boolean(deployment.metadata?.deletionTimestamp);
    const begun = isLeaving ? deployment : await markPaused(deployment);
    const state = await syncRevision({ deployment: begun, found: findReplicaSets(begun, replicaSets) });
    if (isLeaving) return writeStatus(state);
    if (state.deployment.spec?.paused) return scaleOnly(state);
    if (rollbackTarget(state.deployment) !== undefined) return rollBack(state);
    if (isScalingEvent(state.deployment, state.found)) return scaleOnly(state);
    return isRollingUpdate(state.deployment) ? rollOut(state) : recreate(state);
  };

  async function markPaused(deployment: CachedDeployment): Promise<CachedDeployment> {
    const paused = planPaused(deployment, now());
    if (!paused) return deployment;
    const conditions = withCondition(deployment.status?.conditions ?? [], paused);
    return writes.updateStatus(deployment, { ...deployment.status, conditions });
  }

  async function syncRevision({ deployment, found }: State): Promise<State> {
    const synced = await writes.syncRevision(deployment, found);
    return { deployment: synced.deployment, found: { ...found, current: synced.current } };
  }

  async function withCurrent({ deployment, found }: State): Promise<State & { readonly current: CachedReplicaSet }> {
    if (found.current) return { deployment, found, current: found.current };
    const { current, deployment: written } = await writes.create(deployment, found.old);
    if (!current) throw new Error(`the Deployment ${deployment.metadata?.name} has no ReplicaSet`);
    return { deployment: written, found: { ...found, current }, current };
  }

  /** A Deployment that is paused or was scaled keeps its templates. */
  async function scaleOnly({ deployment, found }: State): Promise<void> {
    const scaled = await writes.scale(deployment, found, planScale(deployment, found));
    if (deployment.spec?.paused && rollbackTarget(deployment) === undefined)
      await cleanUp({ deployment, found: scaled.found });
    return writeStatus({ deployment, found: scaled.found });
  }

  async function rollOut(state: State): Promise<WorkResult> {
    const { deployment, found, current } = await withCurrent(state);
    const { hasScaled, found: scaled } = await writes.scale(
      deployment,
      found,
      planRolling(deployment, current, found.old),
    );
    if (!hasScaled && isComplete(deployment, deployment.status)) await cleanUp({ deployment, found: scaled });
    return writeRolloutStatus({ deployment, found: scaled });
  }

  /** Nothing new before everything old is gone. */
  async function recreate(state: State): Promise<WorkResult> {
    const toZero = activeOf(state.found.old).map((replicaSet) => ({ replicaSet, replicas: 0 }));
    const down = await writes.scale(state.deployment, state.found, toZero);
    if (down.hasScaled || areOldPodsRunning(down.found))
      return writeRolloutStatus({ deployment: state.deployment, found: down.found });
    const { deployment, found, current } = await withCurrent({ deployment: state.deployment, found: down.found });
    const up = await writes.scale(deployment, found, [{ replicaSet: current, replicas: replicasOf(deployment) }]);
    if (isComplete(deployment, deployment.status)) await cleanUp({ deployment, found: up.found });
    return writeRolloutStatus({ deployment, found: up.found });
  }

  function areOldPodsRunning({ old }: FoundReplicaSets): boolean {
    return (
      sum(old, ({ status }) => status?.replicas) > 0 ||
      old.some((replicaSet) => options.podsOf(replicaSet).some((pod) => !isPodTerminal(pod)))
    );
  }

  async function rollBack(state: State): Promise<void> {
    const { deployment, found, current } = await withCurrent(state);
    const plan = planRollback(deployment, [...found.old, current]);
    const object = referenceOf(deployment, kindOfDeployment);
    if (plan.event.type === "Warning") recorder.event(object, plan.event);
    await client.apps.v1.deployments(deployment.metadata?.namespace ?? "").update(plan.deployment as Deployment);
    if (plan.event.type !== "Warning") recorder.event(object, plan.event);
  }

  async function cleanUp({ deployment, found }: State): Promise<void> {
    for (const replicaSet of planCleanup(deployment, found.old)) await writes.delete(replicaSet);
  }

  async function writeStatus({ deployment, found }: State): Promise<void> {
    const status = planStatus(deployment, found, { now: now(), hasTerminatingReplicas });
    if (!equalStatus(deployment.status, status)) await writes.updateStatus(deployment, status);
  }

  async function writeRolloutStatus({ deployment, found }: State): Promise<WorkResult> {
    const status = planRolloutStatus(deployment, found, { now: now(), hasTerminatingReplicas });
    if (!equalStatus(deployment.status, status)) {
      // The change itself wakes the Deployment, which then plans its next look.
      await writes.updateStatus(deployment, status);
      return;
    }
    const requeueAfterMs = nextProgressCheck(deployment, status, now());
    if (requeueAfterMs !== undefined) return { requeueAfterMs };
  }
}
