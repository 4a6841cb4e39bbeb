import type { Deployment } from "@coxswain/api/apps/v1";
import type { Selector } from "@coxswain/apimachinery/selector";
import { claimObjects } from "@coxswain/client/controller";
import type { WorkResult } from "@coxswain/client/queue";
import { selectorOf } from "../controller/object-facts.js";
import { checkCanAdopt } from "../pods/can-adopt.js";
import { isNamespaceTerminating, referenceOf } from "../pods/pod-control.js";
import { isPodTerminal } from "../pods/pod-state.js";
import type { CachedReplicaSet } from "../replica-set/replica-sets-of-owner.js";
import { withCondition } from "./conditions.js";
import { type CachedDeployment, isRollingUpdate, kindOfDeployment, replicasOf, sum } from "./deployment-strategy.js";
import type { DeploymentWork } from "./deployment-work.js";
import { activeOf, type FoundReplicaSets, findReplicaSets } from "./find-replica-sets.js";
import { planCleanup } from "./plan-cleanup.js";
import { planPaused } from "./plan-paused.js";
import { planRolling } from "./plan-rolling.js";
import { isScalingEvent, planScale } from "./plan-scale.js";
import { equalStatus, isComplete, nextProgressCheck, planRolloutStatus, planStatus } from "./plan-status.js";
import {
  createReplicaSet,
  deleteReplicaSet,
  scaleReplicaSets,
  syncRevision,
  updateStatus,
} from "./replica-set-writes.js";
import { rollbackTarget } from "./revision.js";
import { planRollback } from "./rollback.js";

interface State {
  readonly deployment: CachedDeployment;
  readonly found: FoundReplicaSets;
}

/** Brings one Deployment a step further. */
export async function reconcileDeployment(work: DeploymentWork, key: string): Promise<WorkResult> {
  const deployment = work.deploymentByKey(key);
  if (!deployment) return;
  const selector = selectorOf(deployment);
  if (selector.empty && !selector.nothing) return refuse(work, deployment);
  try {
    return await reconcile(work, deployment, await claim(work, deployment, selector));
  } catch (error) {
    // The namespace takes the Deployment with it.
    if (!isNamespaceTerminating(error)) throw error;
  }
}

async function refuse(work: DeploymentWork, deployment: CachedDeployment): Promise<void> {
  work.recorder.event(referenceOf(deployment, kindOfDeployment), {
    type: "Warning",
    reason: "SelectingAll",
    message: "This deployment is selecting all pods. A non-empty selector is required.",
  });
  const { generation = 0 } = deployment.metadata ?? {};
  if ((deployment.status?.observedGeneration ?? 0) < generation)
    await updateStatus(work, deployment, { ...deployment.status, observedGeneration: generation });
}

function claim(
  { client, replicaSetsIn }: DeploymentWork,
  deployment: CachedDeployment,
  selector: Selector,
): Promise<CachedReplicaSet[]> {
  const { namespace = "", name = "" } = deployment.metadata ?? {};
  return claimObjects(replicaSetsIn(namespace), {
    controller: deployment,
    kind: kindOfDeployment,
    selector,
    canAdopt: () => checkCanAdopt("Deployment", deployment, () => client.apps.v1.deployments(namespace).get(name)),
    patch: ({ metadata }, patch) =>
      client.apps.v1
        .replicasets(namespace)
        .patch(metadata?.name ?? "", { strategic: patch as Record<string, unknown> }),
  });
}

async function reconcile(
  work: DeploymentWork,
  deployment: CachedDeployment,
  replicaSets: readonly CachedReplicaSet[],
): Promise<WorkResult> {
  const isLeaving = Boolean(deployment.metadata?.deletionTimestamp);
  const begun = isLeaving ? deployment : await markPaused(work, deployment);
  const found = findReplicaSets(begun, replicaSets);
  const { current, ...synced } = await syncRevision(work, begun, found);
  const state = { deployment: synced.deployment, found: { ...found, current } };
  if (isLeaving) return writeStatus(work, state);
  if (state.deployment.spec?.paused) return scaleOnly(work, state);
  if (rollbackTarget(state.deployment) !== undefined) return rollBack(work, state);
  if (isScalingEvent(state.deployment, state.found)) return scaleOnly(work, state);
  return isRollingUpdate(state.deployment) ? rollOut(work, state) : recreate(work, state);
}

async function markPaused(work: DeploymentWork, deployment: CachedDeployment): Promise<CachedDeployment> {
  const paused = planPaused(deployment, work.now());
  if (!paused) return deployment;
  const conditions = withCondition(deployment.status?.conditions ?? [], paused);
  return updateStatus(work, deployment, { ...deployment.status, conditions });
}

async function withCurrent(
  work: DeploymentWork,
  { deployment, found }: State,
): Promise<State & { readonly current: CachedReplicaSet }> {
  if (found.current) return { deployment, found, current: found.current };
  const { current, deployment: written } = await createReplicaSet(work, deployment, found.old);
  if (!current) throw new Error(`the Deployment ${deployment.metadata?.name} has no ReplicaSet`);
  return { deployment: written, found: { ...found, current }, current };
}

/** A Deployment that is paused or was scaled keeps its templates. */
async function scaleOnly(work: DeploymentWork, { deployment, found }: State): Promise<void> {
  const scaled = await scaleReplicaSets(work, deployment, found, planScale(deployment, found));
  if (deployment.spec?.paused && rollbackTarget(deployment) === undefined)
    await cleanUp(work, { deployment, found: scaled.found });
  return writeStatus(work, { deployment, found: scaled.found });
}

async function rollOut(work: DeploymentWork, state: State): Promise<WorkResult> {
  const { deployment, found, current } = await withCurrent(work, state);
  const { hasScaled, found: scaled } = await scaleReplicaSets(
    work,
    deployment,
    found,
    planRolling(deployment, current, found.old),
  );
  if (!hasScaled && isComplete(deployment, deployment.status)) await cleanUp(work, { deployment, found: scaled });
  return writeRolloutStatus(work, { deployment, found: scaled });
}

/** Nothing new before everything old is gone. */
async function recreate(work: DeploymentWork, state: State): Promise<WorkResult> {
  const toZero = activeOf(state.found.old).map((replicaSet) => ({ replicaSet, replicas: 0 }));
  const down = await scaleReplicaSets(work, state.deployment, state.found, toZero);
  if (down.hasScaled || areOldPodsRunning(work, down.found))
    return writeRolloutStatus(work, { deployment: state.deployment, found: down.found });
  const { deployment, found, current } = await withCurrent(work, { deployment: state.deployment, found: down.found });
  const up = await scaleReplicaSets(work, deployment, found, [
    { replicaSet: current, replicas: replicasOf(deployment) },
  ]);
  if (isComplete(deployment, deployment.status)) await cleanUp(work, { deployment, found: up.found });
  return writeRolloutStatus(work, { deployment, found: up.found });
}

function areOldPodsRunning(work: DeploymentWork, { old }: FoundReplicaSets): boolean {
  return (
    sum(old, ({ status }) => status?.replicas) > 0 ||
    old.some((replicaSet) => work.podsOf(replicaSet).some((pod) => !isPodTerminal(pod)))
  );
}

async function rollBack(work: DeploymentWork, state: State): Promise<void> {
  const { deployment, found, current } = await withCurrent(work, state);
  const plan = planRollback(deployment, [...found.old, current]);
  const object = referenceOf(deployment, kindOfDeployment);
  if (plan.event.type === "Warning") work.recorder.event(object, plan.event);
  await work.client.apps.v1.deployments(deployment.metadata?.namespace ?? "").update(plan.deployment as Deployment);
  if (plan.event.type !== "Warning") work.recorder.event(object, plan.event);
}

async function cleanUp(work: DeploymentWork, { deployment, found }: State): Promise<void> {
  for (const replicaSet of planCleanup(deployment, found.old)) await deleteReplicaSet(work, replicaSet);
}

async function writeStatus(work: DeploymentWork, { deployment, found }: State): Promise<void> {
  const status = planStatus(deployment, found, {
    now: work.now(),
    hasTerminatingReplicas: work.hasTerminatingReplicas,
  });
  if (!equalStatus(deployment.status, status)) await updateStatus(work, deployment, status);
}

async function writeRolloutStatus(work: DeploymentWork, { deployment, found }: State): Promise<WorkResult> {
  const status = planRolloutStatus(deployment, found, {
    now: work.now(),
    hasTerminatingReplicas: work.hasTerminatingReplicas,
  });
  if (!equalStatus(deployment.status, status)) {
    // The change itself wakes the Deployment, which then plans its next look.
    await updateStatus(work, deployment, status);
    return;
  }
  const requeueAfterMs = nextProgressCheck(deployment, status, work.now());
  if (requeueAfterMs !== undefined) return { requeueAfterMs };
}
