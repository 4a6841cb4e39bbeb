import type { PodCondition, PodPhase, PodStatus } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import { type CachedContainer, type CachedPod, containersOf, initContainersOf } from "../objects/cached-pod.js";
import type { ContainerRecord, PodRuntimeStatus } from "../runtime/container-runtime.js";
import { restartsAll } from "./restart-policy.js";

/** The condition of a pod whose containers are all removed, to be started over. */
const restartingType = "AllContainersRestarting";
/** Why containers wait, and what their last state shows, while that is so. */
export const restartingReason = "RestartingAllContainers";

/** A container that goes before all of a pod start over. */
export interface ContainerReset {
  readonly record: ContainerRecord;
  readonly container: CachedContainer;
  /** It may still run. */
  readonly kill: boolean;
}

const allOf = (pod: CachedPod): readonly CachedContainer[] => [...initContainersOf(pod), ...containersOf(pod)];

/** Whether a rule of a container can make all of them start over. */
const couldRestartAll = (pod: CachedPod): boolean =>
  allOf(pod).some(({ restartPolicyRules }) =>
    restartPolicyRules?.some(({ action }) => action === "RestartAllContainers"),
  );

export const isRestartingAll = (status: DeepReadonly<PodStatus>): boolean =>
  status.conditions?.some(({ type, status: value }) => type === restartingType && value === "True") ?? false;

/** Pure: upstream's `pkg/kubelet/container/helpers.go`, `ShouldAllContainersRestart`: it was so, or a container exited with a code that a rule names. */
export function shouldRestartAll(
  pod: CachedPod,
  { containers }: PodRuntimeStatus,
  before: DeepReadonly<PodStatus>,
): boolean {
  if (!couldRestartAll(pod)) return false;
  if (isRestartingAll(before)) return true;
  return allOf(pod).some((container) => {
    const latest = containers.get(container.name)?.[0];
    return latest?.state === "exited" && restartsAll(container, latest.exitCode ?? 0);
  });
}

/** Pure: the condition, for pods with such a rule. Upstream's `pkg/kubelet/status/generate.go`, `GenerateAllContainersRestartingCondition`. */
export function restartingCondition(
  pod: CachedPod,
  { phase, restarts, runtime }: { phase: PodPhase; restarts: boolean; runtime: PodRuntimeStatus },
): Pick<PodCondition, "type" | "status" | "reason" | "message">[] {
  if (!couldRestartAll(pod)) return [];
  const type = restartingType;
  if (phase === "Succeeded") return [{ type, status: "False", reason: "PodCompleted" }];
  if (phase === "Failed") return [{ type, status: "False", reason: "PodFailed" }];
  const isCleanedUp = allOf(pod).every(({ name }) => !runtime.containers.has(name));
  if (!restarts || isCleanedUp) return [{ type, status: "False" }];
  const message = "container exited with restart policy rule";
  return [{ type, status: "True", reason: "RestartAllContainersStarted", message }];
}

/**
 * Pure: what is removed, in order: those whose exit was the cause go last, so that a kubelet that is interrupted finds them again.
 * Upstream's `pkg/kubelet/kuberuntime/kuberuntime_manager.go`, `getContainersToReset`.
 */
export function planReset(pod: CachedPod, { containers }: PodRuntimeStatus): ContainerReset[] {
  const resets = [...containersOf(pod), ...initContainersOf(pod)].flatMap((container) =>
    (containers.get(container.name) ?? []).map((record) => ({ record, container, kill: record.state !== "exited" })),
  );
  const isCause = ({ record, container, kill }: ContainerReset): boolean =>
    !kill && restartsAll(container, record.exitCode ?? 0);
  return [...resets.filter((reset) => !isCause(reset)), ...resets.filter(isCause)];
}
