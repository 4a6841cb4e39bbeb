import type { PodPhase, PodStatus } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import { formatTime } from "@coxswain/apimachinery/time";
import {
  type CachedContainer,
  type CachedPod,
  containersOf,
  ephemeralContainersOf,
  initContainersOf,
  isTerminalPhase,
} from "../objects/cached-pod.js";
import { type ContainerRecord, type PodRuntimeStatus, sandboxOf } from "../runtime/container-runtime.js";
import { isKubeletCondition, planConditions } from "./conditions.js";
import { planContainerStatuses, type StartFailure } from "./container-statuses.js";
import { planPhase } from "./phase.js";
import { restartingCondition, shouldRestartAll } from "./restart-all.js";

/** Why the kubelet itself ended a pod: an eviction, a deadline. */
export interface PodFailure {
  readonly reason: string;
  readonly message: string;
  /** Whether the pod gets the condition DisruptionTarget: it ends for the node's sake. */
  readonly isDisruption?: boolean;
}

export interface PodStatusFacts {
  readonly runtime: PodRuntimeStatus;
  readonly runtimeName: string;
  /** What was last computed, or the API's status. */
  readonly before: DeepReadonly<PodStatus>;
  readonly failures: ReadonlyMap<string, StartFailure>;
  readonly failure?: PodFailure;
  /** All containers have stopped for good. */
  readonly isTerminal: boolean;
  isStarted(record: ContainerRecord, container: CachedContainer): boolean;
  isReady(record: ContainerRecord, container: CachedContainer): boolean;
  readonly besides: Parameters<typeof planConditions>[1]["besides"];
  readonly hostIPs: readonly string[];
  readonly now: number;
}

/** Termination messages of all containers of a pod together, in bytes. */
const messageBytesPerPod = 1024 * 12;

/** Pure: the status of a pod, from its containers. */
export function planPodStatus(pod: CachedPod, facts: PodStatusFacts): PodStatus {
  const { before, runtime, now } = facts;
  const all = containersOf(pod).length + initContainersOf(pod).length + ephemeralContainersOf(pod).length;
  const restartsAll = shouldRestartAll(pod, runtime, before);
  const shared = { restartsAll, messageBytes: Math.floor(messageBytesPerPod / Math.max(1, all)), ...facts };
  const statuses = planContainerStatuses(pod, {
    kind: "regular",
    containers: containersOf(pod),
    ...shared,
    before: before.containerStatuses ?? [],
  });
  const initStatuses = planContainerStatuses(pod, {
    kind: "init",
    containers: initContainersOf(pod),
    ...shared,
    before: before.initContainerStatuses ?? [],
  });
  const ephemeral = planContainerStatuses(pod, {
    kind: "ephemeral",
    containers: ephemeralContainersOf(pod) as readonly CachedContainer[],
    ...shared,
    before: before.ephemeralContainerStatuses ?? [],
  });
  const hasInitialized = containersOf(pod).some(({ name }) => runtime.containers.has(name));
  const computed = planPhase(pod, {
    statuses: [...statuses, ...initStatuses],
    isTerminal: facts.isTerminal,
    hasInitialized,
  });
  const phase = facts.failure ? "Failed" : settledPhase(computed, before.phase, pod.status?.phase);
  const why = facts.failure ?? reasonOf(phase, before, pod.status);
  const conditions = planConditions(pod, {
    phase,
    initStatuses,
    statuses,
    hasSandbox: sandboxOf(runtime)?.state === "ready",
    hasInitialized,
    before: mergedConditions(before, pod.status),
    besides: facts.besides,
    restarting: restartingCondition(pod, { phase, restarts: restartsAll, runtime }),
    now: formatTime(now),
  });
  const { generation } = pod.metadata ?? {};
  return {
    phase,
    conditions,
    ...(generation && { observedGeneration: generation }),
    ...(why.message && { message: why.message }),
    ...(why.reason && { reason: why.reason }),
    ...addresses(pod, facts),
    startTime: before.startTime ?? pod.status?.startTime ?? formatTime(now),
    ...(initStatuses.length > 0 && { initContainerStatuses: initStatuses }),
    containerStatuses: statuses,
    ...(ephemeral.length > 0 && { ephemeralContainerStatuses: ephemeral }),
  };
}

/** A terminal phase is never left: neither one that was computed nor one that the API has. */
function settledPhase(computed: PodPhase, before: PodPhase | undefined, stored: PodPhase | undefined): PodPhase {
  if (stored && isTerminalPhase(stored)) return stored;
  if (isTerminalPhase(computed)) return computed;
  return before && isTerminalPhase(before) ? before : computed;
}

/** Reason and message belong to the phase, and stay with it. */
function reasonOf(
  phase: PodPhase,
  before: DeepReadonly<PodStatus>,
  stored: DeepReadonly<PodStatus> | undefined,
): { reason?: string | undefined; message?: string | undefined } {
  if (phase !== before.phase) return {};
  return { reason: before.reason || stored?.reason, message: before.message || stored?.message };
}

/** The kubelet's own conditions as it last computed them, others' as the API has them now. */
function mergedConditions(before: DeepReadonly<PodStatus>, stored: DeepReadonly<PodStatus> | undefined) {
  const own = (before.conditions ?? []).filter(({ type }) => isKubeletCondition(type));
  const known = new Set(own.map(({ type }) => type));
  return [...own, ...(stored?.conditions ?? []).filter(({ type }) => !known.has(type))];
}

function addresses(pod: CachedPod, { runtime, hostIPs }: PodStatusFacts): Partial<PodStatus> {
  const [hostIP] = hostIPs;
  if (hostIP === undefined) return {};
  const ips = pod.spec?.hostNetwork ? hostIPs : (sandboxOf(runtime)?.ips ?? []);
  const [podIP] = ips;
  return {
    hostIP,
    hostIPs: hostIPs.map((ip) => ({ ip })),
    ...(podIP !== undefined && { podIP, podIPs: ips.map((ip) => ({ ip })) }),
  };
}
