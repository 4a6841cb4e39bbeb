import type { ContainerStatus, PodPhase } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import {
  type CachedContainer,
  type CachedPod,
  containersOf,
  initContainersOf,
  isSidecar,
  isStaticPod,
} from "../objects/cached-pod.js";
import { restartingReason } from "./restart-all.js";
import { shouldRestartAfter } from "./restart-policy.js";

export interface PhaseFacts {
  /** Of init and regular containers. */
  readonly statuses: readonly DeepReadonly<ContainerStatus>[];
  /** No container of the pod will be started any more. */
  readonly isTerminal: boolean;
  /** A regular container runs or ran in the present sandbox. */
  readonly hasInitialized: boolean;
}

/** How a container stands, as far as the phase is concerned. */
type Standing =
  | { readonly at: "running"; readonly started: boolean }
  | { readonly at: "stopped"; readonly exitCode: number; readonly restarts: boolean; readonly waits: boolean }
  | { readonly at: "waiting" }
  | { readonly at: "unknown" };

/** Pure: https://github.com/kubernetes/kubernetes/blob/v1.36.4/pkg/kubelet/kubelet_pods.go (getPhase). */
export function planPhase(pod: CachedPod, { statuses, isTerminal, hasInitialized }: PhaseFacts): PodPhase {
  const byName = new Map(statuses.map((status) => [status.name, status]));
  const standing = (container: CachedContainer): Standing => standingOf(container, pod, byName.get(container.name));
  const inits = initContainersOf(pod)
    .filter((container) => !isSidecar(container))
    .map(standing);
  const sidecars = initContainersOf(pod).filter(isSidecar).map(standing);
  const regular = containersOf(pod).map(standing);

  if (inits.some((each) => each.at === "stopped" && each.exitCode !== 0 && !each.restarts)) return "Failed";
  const isInitPending = inits.some((each) => each.at !== "stopped");
  const isSidecarPending = sidecars.some((each) => each.at === "waiting" || (each.at === "running" && !each.started));
  if (isInitPending || (isSidecarPending && !hasInitialized)) return "Pending";

  const counted = [...sidecars.filter((each) => each.at !== "stopped"), ...regular];
  if (counted.some((each) => each.at === "waiting")) return "Pending";
  const isUnknown = counted.some((each) => each.at === "unknown");
  if (isUnknown) return "Pending";
  if (counted.some((each) => each.at === "running")) return "Running";
  const stopped = regular.filter((each) => each.at === "stopped");
  if (stopped.length === 0) return "Pending";
  const settled = stopped.every((each) => each.exitCode === 0 && !each.waits) ? "Succeeded" : "Failed";
  if (isTerminal && !isStaticPod(pod)) return settled;
  return stopped.some((each) => each.restarts) ? "Running" : settled;
}

function standingOf(
  container: CachedContainer,
  pod: CachedPod,
  status: DeepReadonly<ContainerStatus> | undefined,
): Standing {
  const state = status?.state;
  if (state?.running) return { at: "running", started: status?.started === true };
  if (state?.terminated) return stoppedBy(container, pod, state.terminated, false);
  if (!state?.waiting) return { at: "unknown" };
  const last = status?.lastState?.terminated;
  return last ? stoppedBy(container, pod, last, true) : { at: "waiting" };
}

function stoppedBy(
  container: CachedContainer,
  pod: CachedPod,
  { exitCode, reason }: { readonly exitCode: number; readonly reason?: string },
  waits: boolean,
): Standing {
  const restarts = shouldRestartAfter(container, pod.spec, exitCode) || reason === restartingReason;
  return { at: "stopped", exitCode, restarts, waits };
}
