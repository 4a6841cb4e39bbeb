import type { DaemonSet, Deployment, StatefulSet } from "@coxswain/api/apps/v1";
import type { DeepReadonly } from "@coxswain/api/types";

/** How far a rollout is. `message` is what kubectl prints. */
export type RolloutStatus =
  | { readonly state: "progressing"; readonly message: string }
  | { readonly state: "complete"; readonly message: string }
  /** It will not go on by itself. */
  | { readonly state: "failed"; readonly message: string };

const progressing = (message: string): RolloutStatus => ({ state: "progressing", message });
const complete = (message: string): RolloutStatus => ({ state: "complete", message });
const failed = (message: string): RolloutStatus => ({ state: "failed", message });
const onlyRolling = failed("rollout status is only available for RollingUpdate strategy type");

export function deploymentRollout({ metadata, spec, status = {} }: DeepReadonly<Deployment>): RolloutStatus {
  const name = metadata?.name ?? "";
  if ((metadata?.generation ?? 0) > (status.observedGeneration ?? 0))
    return progressing("Waiting for deployment spec update to be observed...");
  const progress = status.conditions?.find(({ type }) => type === "Progressing");
  if (progress?.reason === "ProgressDeadlineExceeded")
    return failed(`deployment "${name}" exceeded its progress deadline`);
  const waiting = `Waiting for deployment "${name}" rollout to finish`;
  const { replicas = 0, updatedReplicas = 0, availableReplicas = 0 } = status;
  if (spec?.replicas !== undefined && updatedReplicas < spec.replicas)
    return progressing(`${waiting}: ${updatedReplicas} out of ${spec.replicas} new replicas have been updated...`);
  if (replicas > updatedReplicas)
    return progressing(`${waiting}: ${replicas - updatedReplicas} old replicas are pending termination...`);
  if (availableReplicas < updatedReplicas)
    return progressing(`${waiting}: ${availableReplicas} of ${updatedReplicas} updated replicas are available...`);
  return complete(`deployment "${name}" successfully rolled out`);
}

export function daemonSetRollout({ metadata, spec, status }: DeepReadonly<DaemonSet>): RolloutStatus {
  if (spec?.updateStrategy?.type !== "RollingUpdate") return onlyRolling;
  const name = metadata?.name ?? "";
  if ((metadata?.generation ?? 0) > (status?.observedGeneration ?? 0))
    return progressing("Waiting for daemon set spec update to be observed...");
  const { updatedNumberScheduled = 0, desiredNumberScheduled = 0, numberAvailable = 0 } = status ?? {};
  const waiting = `Waiting for daemon set "${name}" rollout to finish`;
  if (updatedNumberScheduled < desiredNumberScheduled)
    return progressing(
      `${waiting}: ${updatedNumberScheduled} out of ${desiredNumberScheduled} new pods have been updated...`,
    );
  if (numberAvailable < desiredNumberScheduled)
    return progressing(`${waiting}: ${numberAvailable} of ${desiredNumberScheduled} updated pods are available...`);
  return complete(`daemon set "${name}" successfully rolled out`);
}

export function statefulSetRollout({ metadata, spec, status }: DeepReadonly<StatefulSet>): RolloutStatus {
  if (spec?.updateStrategy?.type !== "RollingUpdate") return onlyRolling;
  const { observedGeneration = 0, readyReplicas = 0, updatedReplicas = 0, currentReplicas = 0 } = status ?? {};
  if (observedGeneration === 0 || (metadata?.generation ?? 0) > observedGeneration)
    return progressing("Waiting for statefulset spec update to be observed...");
  const { replicas, updateStrategy } = spec;
  if (replicas !== undefined && readyReplicas < replicas)
    return progressing(`Waiting for ${replicas - readyReplicas} pods to be ready...`);
  const rolling = updateStrategy.rollingUpdate;
  if (rolling !== undefined) {
    const wanted = replicas === undefined || rolling.partition === undefined ? 0 : replicas - rolling.partition;
    if (updatedReplicas < wanted)
      return progressing(
        `Waiting for partitioned roll out to finish: ${updatedReplicas} out of ${wanted} new pods have been updated...`,
      );
    return complete(`partitioned roll out complete: ${updatedReplicas} new pods have been updated...`);
  }
  if (status?.updateRevision !== status?.currentRevision)
    return progressing(
      `waiting for statefulset rolling update to complete ${updatedReplicas} pods at revision ${status?.updateRevision ?? ""}...`,
    );
  return complete(
    `statefulset rolling update complete ${currentReplicas} pods at revision ${status?.currentRevision ?? ""}...`,
  );
}
