import type { ContainerState, ContainerStatus, VolumeMountStatus } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import { cloneJson } from "@coxswain/apimachinery/json";
import { formatTime } from "@coxswain/apimachinery/time";
import {
  type CachedContainer,
  type CachedPod,
  containersOf,
  initContainersOf,
  isSidecar,
} from "../objects/cached-pod.js";
import type { ContainerKind, ContainerRecord, PodRuntimeStatus } from "../runtime/container-runtime.js";
import { restartingReason } from "./restart-all.js";
import { shouldRun } from "./restart-policy.js";

type Status = DeepReadonly<ContainerStatus>;

/** Why a container could not be started, as long as that is so: "ImagePullBackOff", "CrashLoopBackOff". */
export interface StartFailure {
  readonly reason: string;
  readonly message: string;
}

export interface ContainerStatusFacts {
  readonly kind: ContainerKind;
  readonly containers: readonly CachedContainer[];
  readonly runtime: PodRuntimeStatus;
  /** The runtime's name: the scheme of container IDs. */
  readonly runtimeName: string;
  /** As last reported. */
  readonly before: readonly Status[];
  readonly failures: ReadonlyMap<string, StartFailure>;
  /** All containers are removed, to start over. */
  readonly restartsAll: boolean;
  /** Whether a run of a container has passed its startup probe. */
  isStarted(record: ContainerRecord, container: CachedContainer): boolean;
  /** Whether a started run of a container is ready. */
  isReady(record: ContainerRecord, container: CachedContainer): boolean;
  /** Bytes of termination messages that one container may show. */
  readonly messageBytes: number;
}

/**
 * Pure: the statuses of a pod's containers of one kind, from what the runtime has and what was reported before.
 * https://github.com/kubernetes/kubernetes/blob/v1.36.4/pkg/kubelet/kubelet_pods.go (convertToAPIContainerStatuses)
 */
export function planContainerStatuses(pod: CachedPod, facts: ContainerStatusFacts): ContainerStatus[] {
  const statuses = facts.containers.map((container) => statusOf(pod, container, facts));
  // Init containers stay in the order in which they run.
  return facts.kind === "init" ? statuses : statuses.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

function statusOf(pod: CachedPod, container: CachedContainer, facts: ContainerStatusFacts): ContainerStatus {
  const before = facts.before.find(({ name }) => name === container.name);
  const [latest, previous] = facts.runtime.containers.get(container.name) ?? [];
  const known = latest
    ? fromRecords(container, latest, previous, before, facts)
    : withoutRecord(pod, container, before, facts);
  const status = withFailure(pod, container, known, latest, facts);
  return withReadiness(container, status, latest, facts);
}

/** A container that the runtime does not know: it was not created yet, or it is gone. */
function withoutRecord(
  pod: CachedPod,
  container: CachedContainer,
  before: Status | undefined,
  { kind, runtime, restartsAll }: ContainerStatusFacts,
): ContainerStatus {
  if (restartsAll && kind !== "ephemeral" && before?.state && !before.state.waiting)
    return removedForRestart(container, before);
  if (before?.state?.terminated) return cloneJson(before) as ContainerStatus;
  const reason = initContainersOf(pod).length > 0 ? "PodInitializing" : "ContainerCreating";
  const status: ContainerStatus = {
    name: container.name,
    state: { waiting: { reason } },
    ready: false,
    restartCount: before?.restartCount ?? 0,
    image: container.image ?? "",
    imageID: "",
    ...withLast(before?.lastState as ContainerState | undefined),
    ...mountsOf(container),
  };
  const isOver = kind === "init" && !isSidecar(container) && hasRegularContainer(pod, runtime);
  if (isOver) {
    const message =
      "Unable to get init container status from container runtime and pod has been initialized, treat it as exited normally";
    return { ...status, state: { terminated: { exitCode: 0, reason: "Completed", message } } };
  }
  if (!before?.state?.running || before.lastState?.terminated) return status;
  // It ran, so the pod must not go back to Pending.
  return {
    ...status,
    restartCount: status.restartCount + (pod.metadata?.deletionTimestamp === undefined ? 1 : 0),
    lastState: {
      terminated: {
        exitCode: 137,
        reason: "ContainerStatusUnknown",
        message: "The container could not be located when the pod was deleted.  The container used to be Running",
      },
    },
  };
}

/** It was removed because a rule made all containers start over. */
function removedForRestart(container: CachedContainer, before: Status): ContainerStatus {
  const message = "The container is removed because RestartAllContainers in place";
  return {
    name: container.name,
    state: { waiting: { reason: restartingReason, message } },
    lastState: { terminated: { exitCode: 137, reason: restartingReason, message } },
    ready: false,
    restartCount: before.restartCount + 1,
    image: container.image ?? "",
    imageID: "",
    ...mountsOf(container),
  };
}

const hasRegularContainer = (pod: CachedPod, { containers }: PodRuntimeStatus): boolean =>
  containersOf(pod).some(({ name }) => containers.has(name));

function fromRecords(
  container: CachedContainer,
  latest: ContainerRecord,
  previous: ContainerRecord | undefined,
  before: Status | undefined,
  facts: ContainerStatusFacts,
): ContainerStatus {
  const id = `${facts.runtimeName}://${latest.id}`;
  const last = previous
    ? stateOf(previous, facts)
    : before && before.containerID !== id && before.state?.terminated
      ? (before.state as ContainerState)
      : (before?.lastState as ContainerState | undefined);
  const requests = container.resources?.requests;
  const resources = latest.state === "running" ? latest.resources : (container.resources ?? {});
  return {
    name: container.name,
    state: stateOf(latest, facts),
    ...withLast(last),
    ready: false,
    restartCount: Math.max(latest.attempt, before?.restartCount ?? 0),
    image: latest.image,
    imageID: latest.imageRef,
    containerID: id,
    ...(requests && { allocatedResources: { ...requests } }),
    resources: cloneJson(resources) as NonNullable<ContainerStatus["resources"]>,
    ...mountsOf(container),
    ...(latest.user && {
      user: { linux: { ...latest.user, supplementalGroups: [...latest.user.supplementalGroups] } },
    }),
  };
}

const withLast = (last: ContainerState | undefined): { lastState?: ContainerState } =>
  last?.terminated ? { lastState: { terminated: { ...last.terminated } } } : {};

function stateOf(record: ContainerRecord, { runtimeName, messageBytes }: ContainerStatusFacts): ContainerState {
  const started = record.startedAt === undefined ? {} : { startedAt: formatTime(record.startedAt) };
  switch (record.state) {
    case "running":
      return { running: started };
    case "created":
    case "unknown":
      return { waiting: {} };
    case "exited":
      return {
        terminated: {
          exitCode: record.exitCode ?? 0,
          ...(record.reason && { reason: record.reason }),
          ...(record.message && { message: record.message.slice(0, messageBytes) }),
          ...started,
          ...(record.finishedAt !== undefined && { finishedAt: formatTime(record.finishedAt) }),
          containerID: `${runtimeName}://${record.id}`,
        },
      };
  }
}

/** A container that should run but could not be started shows why, and its last exit as the last state. */
function withFailure(
  pod: CachedPod,
  container: CachedContainer,
  status: ContainerStatus,
  latest: ContainerRecord | undefined,
  { kind, runtime, failures }: ContainerStatusFacts,
): ContainerStatus {
  if (kind === "init" && latest?.state === "exited" && latest.exitCode === 0 && !isSidecar(container)) return status;
  const failure = failures.get(container.name);
  if (!failure || !shouldRun(container, pod, runtime)) return status;
  return {
    ...status,
    ...(status.state?.terminated && { lastState: status.state }),
    state: { waiting: { reason: failure.reason, ...(failure.message && { message: failure.message }) } },
  };
}

function withReadiness(
  container: CachedContainer,
  status: ContainerStatus,
  latest: ContainerRecord | undefined,
  facts: ContainerStatusFacts,
): ContainerStatus {
  if (facts.kind === "ephemeral") return status;
  const isRunning = status.state?.running !== undefined && latest !== undefined;
  const started = isRunning && facts.isStarted(latest, container);
  if (facts.kind === "init" && !isSidecar(container))
    return Object.assign({}, status, { started, ready: status.state?.terminated?.exitCode === 0 });
  return Object.assign({}, status, { started, ready: started && facts.isReady(latest, container) });
}

/** What each mount of the container is, with the recursive read-only mode that was asked for. */
function mountsOf({ volumeMounts }: CachedContainer): { volumeMounts?: VolumeMountStatus[] } {
  if (!volumeMounts || volumeMounts.length === 0) return {};
  return {
    volumeMounts: volumeMounts.map(({ name, mountPath, readOnly, recursiveReadOnly }) => ({
      name,
      mountPath,
      ...(readOnly && {
        readOnly,
        recursiveReadOnly:
          recursiveReadOnly === "Enabled" || recursiveReadOnly === "IfPossible" ? "Enabled" : "Disabled",
      }),
    })),
  };
}
