import type { ContainerStatus, PodStatus } from "@coxswain/api/core/v1";
import { type CachedPod, isStaticPod, isTerminalPhase } from "../objects/cached-pod.js";

/** Pure: the last status of a pod: no container may seem to run, and the phase is terminal. */
export function terminatedStatus(pod: CachedPod, status: PodStatus): PodStatus {
  const { initContainerStatuses: inits = [], containerStatuses: regular = [] } = status;
  const hasInitialized = inits.every(({ state, started }) => state?.terminated?.exitCode === 0 || started === true);
  return {
    ...status,
    ...(!isTerminalPhase(status.phase) && !isStaticPod(pod) && { phase: "Failed" as const }),
    ...(hasInitialized && regular.length > 0 && { containerStatuses: regular.map(ended) }),
    ...(inits.length > 0 && {
      initContainerStatuses: inits.map((init, i) => (hasBegun(inits, i) ? ended(init) : init)),
    }),
  };
}

/** Init containers behind one that never ran have never run either. */
const hasBegun = (inits: readonly ContainerStatus[], at: number): boolean =>
  inits.slice(at).some(({ state, lastState }) => state?.waiting === undefined || lastState?.terminated !== undefined);

const ended = (status: ContainerStatus): ContainerStatus =>
  status.state?.terminated
    ? status
    : {
        ...status,
        ready: false,
        state: {
          terminated: {
            exitCode: 137,
            reason: "ContainerStatusUnknown",
            message: "The container could not be located when the pod was terminated",
          },
        },
      };
