import type { Deployment, ReplicaSet } from "@coxswain/api/apps/v1";
import { equalJson } from "@coxswain/apimachinery/json";
import { getOwn } from "@coxswain/apimachinery/own";
import { isAlreadyExists, isNotFound } from "@coxswain/apimachinery/status";
import { isControlledBy } from "../pods/controller-ref.js";
import { isNamespaceTerminating, messageOf, referenceOf } from "../pods/pod-control.js";
import type { CachedReplicaSet } from "../replica-set/replica-sets-of-owner.js";
import { conditionOf, newCondition, withCondition } from "./conditions.js";
import { type CachedDeployment, kindOfDeployment, progressDeadlineSeconds, replicasOf } from "./deployment-strategy.js";
import type { DeploymentWork } from "./deployment-work.js";
import { equalIgnoringHash, type FoundReplicaSets } from "./find-replica-sets.js";
import { newReplicaSet } from "./new-replica-set.js";
import type { Scaling } from "./plan-scale.js";
import type { CachedStatus } from "./plan-status.js";
import { maxRevision, revisionAnnotation, withRevision, withSize } from "./revision.js";

/** The Deployment as the server has it now, and its new ReplicaSet. */
export interface Synced {
  readonly deployment: CachedDeployment;
  readonly current: CachedReplicaSet | undefined;
}

/** The Deployment made it itself, and the cache did not show it in time. */
const isOwn = (deployment: CachedDeployment, existing: CachedReplicaSet): boolean =>
  isControlledBy(existing, deployment) && equalIgnoringHash(deployment.spec?.template, existing.spec?.template);

const replicaSets = ({ client }: DeploymentWork, namespace: string | undefined) =>
  client.apps.v1.replicasets(namespace ?? "");

const progressing = (
  { now }: DeploymentWork,
  deployment: CachedDeployment,
  facts: { readonly status: "True" | "False"; readonly reason: string; readonly message: string },
): CachedStatus => ({
  ...deployment.status,
  conditions: withCondition(
    deployment.status?.conditions ?? [],
    newCondition({ type: "Progressing", ...facts }, now()),
  ),
});

/** Answers the Deployment as the server has it now. */
export async function updateStatus(
  { client }: DeploymentWork,
  deployment: CachedDeployment,
  status: CachedStatus,
): Promise<CachedDeployment> {
  const { metadata } = deployment;
  return client.apps.v1
    .deployments(metadata?.namespace ?? "")
    .updateStatus({ ...(deployment as Deployment), status: status as NonNullable<Deployment["status"]> });
}

/** Gives the new ReplicaSet its revision and the Deployment's annotations, and the Deployment that revision. */
export async function syncRevision(
  work: DeploymentWork,
  deployment: CachedDeployment,
  { current, old }: FoundReplicaSets,
): Promise<Synced> {
  if (!current) return { deployment, current };
  const annotations = withRevision(current.metadata?.annotations, deployment, maxRevision(old) + 1n);
  const minReadySeconds = deployment.spec?.minReadySeconds ?? 0;
  if (
    !equalJson(annotations, current.metadata?.annotations ?? {}) ||
    (current.spec?.minReadySeconds ?? 0) !== minReadySeconds
  ) {
    const updated = await replicaSets(work, current.metadata?.namespace).update({
      ...(current as ReplicaSet),
      metadata: { ...(current as ReplicaSet).metadata, annotations },
      spec: { ...((current as ReplicaSet).spec as NonNullable<ReplicaSet["spec"]>), minReadySeconds },
    });
    return { deployment, current: updated };
  }
  const hasCondition = conditionOf(deployment.status?.conditions, "Progressing") !== undefined;
  const message = `Found new replica set "${current.metadata?.name}"`;
  const status =
    progressDeadlineSeconds(deployment) === undefined || hasCondition
      ? undefined
      : progressing(work, deployment, { status: "True", reason: "FoundNewReplicaSet", message });
  const revision = getOwn(annotations, revisionAnnotation) ?? "";
  return { deployment: await withDeploymentRevision(work, deployment, revision, status), current };
}

/** Creates the ReplicaSet for the template. @throws StatusError; after a collision of hashes the next try takes another one */
export async function createReplicaSet(
  work: DeploymentWork,
  deployment: CachedDeployment,
  old: readonly CachedReplicaSet[],
): Promise<Synced> {
  const wanted = newReplicaSet(deployment, old);
  const { namespace = "", name = "", annotations } = wanted.metadata ?? {};
  const isTracked = progressDeadlineSeconds(deployment) !== undefined;
  let current: CachedReplicaSet;
  let status: CachedStatus | undefined;
  try {
    current = await replicaSets(work, namespace).create(wanted);
    const replicas = replicasOf(wanted);
    if (replicas > 0) record(work, deployment, `Scaled up replica set ${name} from 0 to ${replicas}`);
    const message = `Created new replica set "${name}"`;
    if (isTracked) status = progressing(work, deployment, { status: "True", reason: "NewReplicaSetCreated", message });
  } catch (error) {
    const existing = isAlreadyExists(error) ? work.replicaSetByKey(`${namespace}/${name}`) : undefined;
    if (!existing || !isOwn(deployment, existing)) {
      await reportFailedCreate(work, deployment, { name, error, isTracked, isCollision: existing !== undefined });
      throw error;
    }
    current = existing;
  }
  const revision = getOwn(annotations, revisionAnnotation) ?? "";
  return { deployment: await withDeploymentRevision(work, deployment, revision, status), current };
}

/** Answers whether a size was changed, and the ReplicaSets as they are now. */
export async function scaleReplicaSets(
  work: DeploymentWork,
  deployment: CachedDeployment,
  found: FoundReplicaSets,
  scalings: readonly Scaling[],
): Promise<{ readonly hasScaled: boolean; readonly found: FoundReplicaSets }> {
  let hasScaled = false;
  const written = new Map<CachedReplicaSet, CachedReplicaSet>();
  for (const { replicaSet, replicas, isForced = false } of scalings) {
    const before = replicasOf(replicaSet);
    const annotations = withSize(replicaSet.metadata?.annotations, deployment);
    if (before === replicas && (!isForced || equalJson(annotations, replicaSet.metadata?.annotations))) continue;
    const { metadata, spec } = replicaSet as ReplicaSet;
    const updated = await replicaSets(work, metadata?.namespace).update({
      ...(replicaSet as ReplicaSet),
      metadata: { ...metadata, annotations },
      spec: { ...(spec as NonNullable<ReplicaSet["spec"]>), replicas },
    });
    written.set(replicaSet, updated);
    if (before === replicas) continue;
    hasScaled = true;
    const direction = before < replicas ? "up" : "down";
    record(work, deployment, `Scaled ${direction} replica set ${metadata?.name} from ${before} to ${replicas}`);
  }
  const newest = (replicaSet: CachedReplicaSet): CachedReplicaSet => written.get(replicaSet) ?? replicaSet;
  return { hasScaled, found: { current: found.current && newest(found.current), old: found.old.map(newest) } };
}

export async function deleteReplicaSet(work: DeploymentWork, { metadata }: CachedReplicaSet): Promise<void> {
  await replicaSets(work, metadata?.namespace)
    .delete(metadata?.name ?? "")
    .catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
}

function record({ recorder }: DeploymentWork, deployment: CachedDeployment, message: string): void {
  recorder.event(referenceOf(deployment, kindOfDeployment), { type: "Normal", reason: "ScalingReplicaSet", message });
}

/** The revision is an annotation, and written together with the status. */
async function withDeploymentRevision(
  work: DeploymentWork,
  deployment: CachedDeployment,
  revision: string,
  status: CachedStatus | undefined,
): Promise<CachedDeployment> {
  const { metadata } = deployment;
  const isSame = getOwn(metadata?.annotations, revisionAnnotation) === revision;
  if (isSame && status === undefined) return deployment;
  const annotations = { ...metadata?.annotations, [revisionAnnotation]: revision };
  return updateStatus(
    work,
    { ...deployment, metadata: { ...metadata, annotations } },
    status ?? deployment.status ?? {},
  );
}

async function reportFailedCreate(
  work: DeploymentWork,
  deployment: CachedDeployment,
  { name, error, isTracked, isCollision }: { name: string; error: unknown; isTracked: boolean; isCollision: boolean },
): Promise<void> {
  if (isCollision) {
    const collisionCount = (deployment.status?.collisionCount ?? 0) + 1;
    await updateStatus(work, deployment, { ...deployment.status, collisionCount });
    return;
  }
  // One that exists and is not in the cache yet is looked at again.
  if (isAlreadyExists(error) || isNamespaceTerminating(error)) return;
  const reason = "ReplicaSetCreateError";
  const message = `Failed to create new replica set "${name}": ${messageOf(error)}`;
  work.recorder.event(referenceOf(deployment, kindOfDeployment), { type: "Warning", reason, message });
  if (!isTracked) return;
  // The failure itself is what the caller throws.
  await updateStatus(work, deployment, progressing(work, deployment, { status: "False", reason, message })).catch(
    () => {},
  );
}
