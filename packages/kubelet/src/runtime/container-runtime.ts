import type { ResourceRequirements } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import type { CachedPod } from "../objects/cached-pod.js";

/**
 * What runs containers on one node, shaped like the Container Runtime Interface: sandboxes, images, containers, streams.
 *
 * Guarantees: methods resolve once the runtime has done what was asked; `onEvent` is called after each change of a pod's
 * containers, whatever caused it, and never before `podStatus` shows it. Stopping what is stopped, and removing what is
 * gone, succeeds. A refusal is a `RuntimeError`, whose message is shown to users.
 */
export interface ContainerRuntime {
  /** As `<name>://<version>` in a node's status; the name is also the scheme of container IDs. */
  readonly name: string;
  readonly version: string;

  /** Resolves once the pod's network is there. */
  runPodSandbox(config: PodSandboxConfig, signal?: AbortSignal): Promise<SandboxRecord>;
  /** Ends what still runs in it and frees its addresses. */
  stopPodSandbox(id: string): Promise<void>;
  removePodSandbox(id: string): Promise<void>;

  /** The image as it is on the node, or undefined. */
  imageStatus(image: string): Promise<ImageRecord | undefined>;
  pullImage(image: string, pod: CachedPod, signal?: AbortSignal): Promise<ImageRecord>;
  listImages(): Promise<readonly ImageRecord[]>;
  removeImage(image: string): Promise<void>;

  createContainer(sandboxId: string, config: ContainerConfig): Promise<string>;
  startContainer(id: string, signal?: AbortSignal): Promise<void>;
  /**
   * Resolves once it has exited: by itself after the stop signal, or killed when `timeoutSeconds` have passed. An aborted
   * call no longer waits; the container ends all the same.
   */
  stopContainer(id: string, timeoutSeconds: number, signal?: AbortSignal): Promise<void>;
  removeContainer(id: string): Promise<void>;
  updateContainerResources(id: string, resources: DeepReadonly<ResourceRequirements>): Promise<void>;

  /** The sandbox and the containers of a pod; of each container its runs, the newest first. */
  podStatus(podUid: string): Promise<PodRuntimeStatus>;
  /** Returns a function that unsubscribes. */
  onEvent(listener: (podUid: string) => void): () => void;

  /** Runs a command in a container to its end, or until the signal aborts. */
  exec(id: string, command: readonly string[], streams: ExecStreams, signal: AbortSignal): Promise<ExecResult>;
  /** Connects to what the container's own process reads and writes; resolves when it ends or the signal aborts. */
  attach(id: string, streams: ExecStreams, signal: AbortSignal): Promise<void>;
  /** One connection to a port of the pod. @throws RuntimeError where nothing listens */
  openPort(podUid: string, port: number, streams: PortStreams, signal: AbortSignal): Promise<void>;
  /** Lines as they were written; those to come, too, with `follow`. */
  logs(id: string, options: LogOptions, signal: AbortSignal): AsyncIterable<LogLine>;
  /** An HTTP, TCP or gRPC probe. Undefined: the caller connects to the pod's address by itself. */
  probe?(id: string, probe: NetworkProbe): Promise<ProbeAnswer>;
  stats(podUid: string): Promise<PodStats | undefined>;
  /** What the node as a whole has left. */
  nodeStats(): Promise<NodeStats>;
}

/** A refusal of the runtime, in words for users. */
export class RuntimeError extends Error {
  override readonly name = "RuntimeError";
}

export interface PodSandboxConfig {
  readonly pod: CachedPod;
  /** How often the pod had a sandbox before. */
  readonly attempt: number;
}

export interface SandboxRecord {
  readonly id: string;
  readonly attempt: number;
  readonly state: "ready" | "notReady";
  /** Empty for pods in the node's own network. */
  readonly ips: readonly string[];
  /** Milliseconds since 1970, as all times here. */
  readonly createdAt: number;
}

export interface ImageRecord {
  /** As pods name it. */
  readonly image: string;
  /** With its digest. */
  readonly ref: string;
  readonly sizeBytes: number;
}

export interface Mount {
  readonly path: string;
  readonly readOnly: boolean;
  /** What the files are: see `FileSource`. */
  readonly source: FileSource;
  /** Only this part of the source, without a slash in front. */
  readonly subPath?: string;
}

/** Files that a volume brings. */
export type FileSource =
  /** Lives as long as the pod and is shared by its containers under this name; with a slash in front, as long as the node. */
  | { readonly kind: "scratch"; readonly volume: string }
  /** Written by the kubelet from other objects; `refresh` brings them up to date where they may be old. */
  | { readonly kind: "files"; read(): ReadonlyMap<string, Uint8Array>; refresh(): Promise<void> };

export interface ContainerConfig {
  readonly pod: CachedPod;
  readonly name: string;
  readonly kind: ContainerKind;
  readonly attempt: number;
  readonly image: ImageRecord;
  readonly command: readonly string[];
  readonly args: readonly string[];
  readonly env: ReadonlyMap<string, string>;
  readonly workingDir: string;
  readonly mounts: readonly Mount[];
  readonly resources: DeepReadonly<ResourceRequirements>;
  /** Whether the container runs what the pod asks for now. */
  readonly specHash: string;
  readonly terminationMessagePath: string;
  readonly terminationMessagePolicy: string;
}

export type ContainerKind = "init" | "regular" | "ephemeral";

/** One run of a container. */
export interface ContainerRecord {
  readonly id: string;
  readonly name: string;
  /** How often it ran before. */
  readonly attempt: number;
  readonly state: "created" | "running" | "exited" | "unknown";
  readonly image: string;
  readonly imageRef: string;
  readonly specHash: string;
  readonly resources: DeepReadonly<ResourceRequirements>;
  readonly createdAt: number;
  readonly startedAt?: number;
  readonly finishedAt?: number;
  readonly exitCode?: number;
  /** Of the exit: "Completed", "Error", "OOMKilled". */
  readonly reason?: string;
  readonly message?: string;
}

export interface PodRuntimeStatus {
  readonly sandbox?: SandboxRecord;
  /** By container name; the newest run first. */
  readonly containers: ReadonlyMap<string, readonly ContainerRecord[]>;
}

export const noRuntimeStatus: PodRuntimeStatus = { containers: new Map() };

/** Where a command's input comes from and its output goes to. */
export interface ExecStreams {
  readonly stdin?: AsyncIterable<Uint8Array>;
  stdout(chunk: Uint8Array): void;
  stderr(chunk: Uint8Array): void;
  /** A promise while the reader is behind. */
  drained(): Promise<void> | undefined;
  readonly tty: boolean;
}

export interface ExecResult {
  readonly exitCode: number;
}

export interface PortStreams {
  readonly incoming: AsyncIterable<Uint8Array>;
  write(chunk: Uint8Array): void;
}

export interface LogOptions {
  readonly follow: boolean;
  /** Only so many of the last lines. */
  readonly tail?: number;
  /** Only lines from this time on. */
  readonly sinceMs?: number;
}

export interface LogLine {
  readonly at: number;
  readonly stream: "stdout" | "stderr";
  /** Without the newline. */
  readonly text: string;
  /** The line goes on in the next one of its stream. */
  readonly isPartial?: boolean;
}

/** What a probe asks for, ports by number. */
export type NetworkProbe =
  | { readonly kind: "http"; readonly port: number; readonly path: string; readonly host: string }
  | { readonly kind: "tcp"; readonly port: number; readonly host: string }
  | { readonly kind: "grpc"; readonly port: number; readonly service: string };

export interface ProbeAnswer {
  readonly success: boolean;
  readonly output: string;
  /** The answer is the same until then: nobody need ask before. @default it may change any time */
  readonly until?: number;
}

export interface ContainerStats {
  readonly name: string;
  readonly cpuNanoCores: number;
  readonly cpuNanoCoreSeconds: number;
  readonly memoryBytes: number;
  /** Its own files and its logs. */
  readonly storageBytes: number;
  readonly inodes: number;
  readonly processes: number;
  readonly startedAt: number;
}

export interface PodStats {
  readonly at: number;
  readonly containers: readonly ContainerStats[];
  /** Volumes that live on the node's disk. */
  readonly volumes: readonly { readonly name: string; readonly usedBytes: number }[];
}

export interface NodeStats {
  /** `podBytes`: what all pods use together. */
  readonly memory: { readonly capacityBytes: number; readonly availableBytes: number; readonly podBytes: number };
  readonly nodeFs: FileSystemStats;
  /** Of images and containers, where they have a disk of their own. */
  readonly imageFs?: FileSystemStats;
  readonly processes: { readonly max: number; readonly running: number };
}

export interface FileSystemStats {
  readonly capacityBytes: number;
  readonly availableBytes: number;
  readonly inodes: number;
  readonly inodesFree: number;
}
