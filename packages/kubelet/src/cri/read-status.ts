import type { ResourceRequirements } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import type { Decoded } from "@coxswain/wire/protobuf";
import {
  ContainerState,
  type ContainerStatus,
  type Container as CriContainer,
  type Image,
  type PodSandbox,
  PodSandboxState,
  type PodSandboxStatus,
  Signal,
  type StatusResponse,
} from "../gen/cri.js";
import type {
  ContainerRecord,
  ImageRecord,
  RuntimePod,
  RuntimeStatus,
  SandboxRecord,
} from "../runtime/container-runtime.js";
import { labelNames, nodeAnnotation, readAnnotations, resourcesAnnotation } from "./labels.js";
import { readResources } from "./plan-resources.js";

const millis = (nanoseconds: number): number => Math.floor(nanoseconds / 1e6);

/** Pure: upstream's `kuberuntime_sandbox.go`, `determinePodSandboxIPs`. */
export function readSandbox(status: Decoded<typeof PodSandboxStatus>): SandboxRecord {
  const { network } = status;
  const ips = network ? [network.ip, ...network.additionalIps.map(({ ip }) => ip)].filter((ip) => ip !== "") : [];
  return {
    id: status.id,
    attempt: status.metadata?.attempt ?? 0,
    state: status.state === PodSandboxState.SANDBOX_READY ? "ready" : "notReady",
    ips,
    createdAt: millis(status.createdAt),
  };
}

const states = {
  [ContainerState.CONTAINER_CREATED]: "created",
  [ContainerState.CONTAINER_RUNNING]: "running",
  [ContainerState.CONTAINER_EXITED]: "exited",
  [ContainerState.CONTAINER_UNKNOWN]: "unknown",
} as const;

export const stateOf = (state: number): ContainerRecord["state"] =>
  state in states ? states[state as keyof typeof states] : "unknown";

export interface StatusContext {
  readonly sandboxId: string;
  /** What the container was given last, where this process gave it. */
  readonly given?: DeepReadonly<ResourceRequirements> | undefined;
  /** From its file or its log; empty: none. */
  readonly terminationMessage: string;
}

/** Pure: one run of a container. Upstream's `kuberuntime_container.go`, `toKubeContainerStatus`. */
export function readContainer(
  status: Decoded<typeof ContainerStatus>,
  { sandboxId, given, terminationMessage }: StatusContext,
): ContainerRecord {
  const { specHash, attempt } = readAnnotations(status.annotations);
  const state = stateOf(status.state);
  const user = status.user?.linux;
  const message = [status.message, terminationMessage].filter((text) => text !== "").join(": ");
  return {
    id: status.id,
    sandboxId,
    name: status.metadata?.name ?? "",
    attempt,
    state,
    image: status.image?.userSpecifiedImage || status.image?.image || "",
    imageId: status.imageId || status.image?.image || status.imageRef,
    imageRef: status.imageRef,
    specHash,
    resources: readResources(status.resources?.linux, given ?? annotatedResources(status.annotations)),
    createdAt: millis(status.createdAt),
    ...(state !== "created" && status.startedAt > 0 && { startedAt: millis(status.startedAt) }),
    ...(state === "exited" && {
      finishedAt: millis(status.finishedAt),
      exitCode: status.exitCode,
      ...(status.reason && { reason: status.reason }),
      ...(message && { message }),
    }),
    ...(user && {
      user: { uid: user.uid, gid: user.gid, supplementalGroups: user.supplementalGroups },
    }),
    ...(status.stopSignal !== Signal.RUNTIME_DEFAULT && stopSignalName(status.stopSignal)),
  };
}

function annotatedResources(annotations: ReadonlyMap<string, string>): DeepReadonly<ResourceRequirements> | undefined {
  const text = annotations.get(resourcesAnnotation);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as ResourceRequirements;
  } catch {
    return undefined; // somebody else wrote it
  }
}

function stopSignalName(signal: number): { stopSignal?: string } {
  const name = Object.entries(Signal).find(([, number]) => number === signal)?.[0];
  return name === undefined ? {} : { stopSignal: name.replace("PLUS", "+").replace("MINUS", "-") };
}

/** Pure: an image under the name that was asked for. Upstream shows the first digest as imageID, or the ID where there is none. */
export function readImage(image: Decoded<typeof Image>, name?: string): ImageRecord {
  return {
    image: name ?? image.repoTags[0] ?? image.repoDigests[0] ?? image.id,
    id: image.id,
    ref: image.repoDigests[0] ?? image.id,
    tags: image.repoTags,
    digests: image.repoDigests,
    sizeBytes: image.size,
    user: {
      ...(image.uid && { uid: image.uid.value }),
      ...(image.username && { name: image.username }),
    },
    pinned: image.pinned,
  };
}

/** Pure: https://github.com/kubernetes/kubernetes/blob/v1.36.4/pkg/kubelet/kuberuntime/helpers.go (toKubeRuntimeStatus). */
export function readRuntimeStatus({
  status,
  runtimeHandlers,
  features,
}: Decoded<typeof StatusResponse>): RuntimeStatus {
  return {
    conditions: status?.conditions ?? [],
    handlers: runtimeHandlers.map(({ name, features: has }) => ({
      name,
      recursiveReadOnlyMounts: has?.recursiveReadOnlyMounts ?? false,
      userNamespaces: has?.userNamespaces ?? false,
    })),
    features: { supplementalGroupsPolicy: features?.supplementalGroupsPolicy ?? false },
  };
}

type ListedSandbox = Decoded<typeof PodSandbox>;
type ListedContainer = Decoded<typeof CriContainer>;

/** Pure: the pods that sandboxes and containers belong to, by their labels; others are nobody's business here. */
export function readPods(sandboxes: readonly ListedSandbox[], containers: readonly ListedContainer[]): RuntimePod[] {
  const pods = new Map<string, RuntimePod>();
  const note = (item: ListedSandbox | ListedContainer, isRunning: boolean): void => {
    const { labels, annotations } = item;
    const createdAt = millis(item.createdAt);
    const uid = labels.get(labelNames.podUid);
    if (uid === undefined || uid === "") return;
    const known = pods.get(uid);
    const node = annotations.get(nodeAnnotation) ?? known?.node;
    pods.set(uid, {
      uid,
      name: labels.get(labelNames.podName) ?? "",
      namespace: labels.get(labelNames.podNamespace) ?? "",
      ...(node !== undefined && { node }),
      isRunning: isRunning || (known?.isRunning ?? false),
      createdAt: Math.min(createdAt, known?.createdAt ?? createdAt),
    });
  };
  for (const sandbox of sandboxes) note(sandbox, sandbox.state === PodSandboxState.SANDBOX_READY);
  for (const container of containers) note(container, container.state === ContainerState.CONTAINER_RUNNING);
  return [...pods.values()];
}
