import type { ContainerStatus } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import { parseTimeMs } from "@coxswain/apimachinery/time";
import { type CachedPod, findContainer, initContainersOf } from "../objects/cached-pod.js";
import { specHash } from "../pod/spec-hash.js";
import type { ContainerConfig, ContainerRecord } from "../runtime/container-runtime.js";
import { simulatedImage } from "./simulated-image.js";

export interface ReportedRun {
  readonly config: ContainerConfig;
  readonly record: ContainerRecord;
}

/**
 * Pure: the newest run of each container, from the pod's status. Variables from other objects and mounts are not
 * part of a status, and are missing.
 */
export function reportedRuns(pod: CachedPod, sandboxId: string): ReportedRun[] {
  const { containerStatuses = [], initContainerStatuses = [], ephemeralContainerStatuses = [] } = pod.status ?? {};
  return [...initContainerStatuses, ...containerStatuses, ...ephemeralContainerStatuses].flatMap((status) => {
    const run = reportedRun(pod, status, sandboxId);
    return run ? [run] : [];
  });
}

function reportedRun(
  pod: CachedPod,
  status: DeepReadonly<ContainerStatus>,
  sandboxId: string,
): ReportedRun | undefined {
  const container = findContainer(pod, status.name);
  const ended = status.state?.terminated ?? status.lastState?.terminated;
  const id = status.containerID?.split("://")[1];
  if (!container || !id || (!status.state?.running && !ended)) return undefined;
  const image = { ...simulatedImage(status.image), ref: status.imageID };
  const isInit = initContainersOf(pod).includes(container);
  const config: ContainerConfig = {
    pod,
    name: status.name,
    kind: isInit ? "init" : pod.spec?.containers.includes(container) ? "regular" : "ephemeral",
    attempt: status.restartCount,
    image,
    command: container.command ?? [],
    args: container.args ?? [],
    env: new Map((container.env ?? []).flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]]))),
    workingDir: container.workingDir ?? "",
    mounts: [],
    resources: status.resources ?? container.resources ?? {},
    specHash: specHash(container),
    terminationMessagePath: container.terminationMessagePath ?? "/dev/termination-log",
    terminationMessagePolicy: container.terminationMessagePolicy ?? "File",
    cgroupParent: "",
    podIPs: [],
  };
  const startedAt = timeOf(status.state?.running?.startedAt ?? ended?.startedAt);
  const record: ContainerRecord = {
    id,
    sandboxId,
    name: status.name,
    attempt: status.restartCount,
    state: status.state?.running ? "running" : "exited",
    image: image.image,
    imageId: image.id,
    imageRef: image.ref,
    specHash: config.specHash,
    resources: config.resources,
    createdAt: startedAt ?? 0,
    ...(startedAt !== undefined && { startedAt }),
    ...(!status.state?.running && ended && exitOf(ended)),
  };
  return { config, record };
}

const timeOf = (text: string | null | undefined): number | undefined => (text ? parseTimeMs(text) : undefined);

function exitOf(ended: { exitCode: number; reason?: string; message?: string; finishedAt?: string | null }) {
  const finishedAt = timeOf(ended.finishedAt);
  return {
    exitCode: ended.exitCode,
    ...(ended.reason && { reason: ended.reason }),
    ...(ended.message && { message: ended.message }),
    ...(finishedAt !== undefined && { finishedAt }),
  };
}
