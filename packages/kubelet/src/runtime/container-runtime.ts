import type { CachedContainer, CachedPod } from "../objects/cached-pod.js";
import type { ImageRecord, PullRequest } from "./image-record.js";
import type { LogLine, LogOptions } from "./log-line.js";
import type { ContainerConfig, PodSandboxConfig } from "./pod-configs.js";
import type { PodRuntimeStatus, RuntimePod, SandboxRecord } from "./pod-records.js";
import type { RuntimeStatus } from "./runtime-status.js";
import type { ExecOutput, Streaming } from "./streaming.js";
import type { PodStats } from "./usage-stats.js";

export type * from "./image-record.js";
export type * from "./log-line.js";
export type * from "./pod-configs.js";
export * from "./pod-records.js";
export * from "./runtime-error.js";
export type * from "./runtime-status.js";
export type * from "./streaming.js";
export type * from "./usage-stats.js";

/**
 * What runs containers on one node, shaped like the Container Runtime Interface: sandboxes, images, containers, streams.
 *
 * Guarantees: methods resolve once the runtime has done what was asked; `onEvent` is called after each change of a pod's
 * containers, whatever caused it, and never before `podStatus` shows it. Stopping what is stopped, and removing what is
 * gone, succeeds. A refusal is a `RuntimeError`, whose message is shown to users; a `ConfigError` where the pod's own spec is
 * the reason. While the runtime does not answer, methods reject; they succeed again once it does.
 */
export interface ContainerRuntime {
  /** As `<name>://<version>` in a node's status; the name is also the scheme of container IDs. */
  readonly name: string;
  readonly version: string;
  /** Whether it takes pods, and whether their network is there. */
  status(): Promise<RuntimeStatus>;

  /** Resolves once the pod's network is there. */
  runPodSandbox(config: PodSandboxConfig, signal?: AbortSignal): Promise<SandboxRecord>;
  /** Ends what still runs in it and frees its addresses. */
  stopPodSandbox(id: string): Promise<void>;
  /** Containers that are still in it go, too; callers remove them before. */
  removePodSandbox(id: string): Promise<void>;

  /** The image as it is on the node, or undefined. */
  imageStatus(image: string): Promise<ImageRecord | undefined>;
  pullImage(request: PullRequest, signal?: AbortSignal): Promise<ImageRecord>;
  listImages(): Promise<readonly ImageRecord[]>;
  /** @param image an ID or a name */
  removeImage(image: string): Promise<void>;

  /** @throws ConfigError where the pod asks for what cannot be */
  createContainer(sandboxId: string, config: ContainerConfig): Promise<string>;
  startContainer(id: string, signal?: AbortSignal): Promise<void>;
  /**
   * Resolves once it has exited: by itself after the stop signal, or killed when `timeoutSeconds` have passed. An aborted
   * call no longer waits; the container ends all the same.
   */
  stopContainer(id: string, timeoutSeconds: number, signal?: AbortSignal): Promise<void>;
  removeContainer(id: string, options?: { readonly keepsLog: boolean }): Promise<void>;
  /** Gives a running container the resources that `container` has now. */
  updateContainerResources(id: string, given: { pod: CachedPod; container: CachedContainer }): Promise<void>;

  /** The sandboxes and the containers of a pod; of each container its runs, the newest first. */
  podStatus(podUid: string): Promise<PodRuntimeStatus>;
  /** All pods of which it has a sandbox or a container. */
  listPods(): Promise<readonly RuntimePod[]>;
  /** Returns a function that unsubscribes. */
  onEvent(listener: (podUid: string) => void): () => void;

  /** Runs a command to its end, without input, for probes and hooks. @throws ExecTimeoutError after `timeoutMs`, unless that is 0 */
  execSync(id: string, command: readonly string[], timeoutMs: number, signal?: AbortSignal): Promise<ExecOutput>;
  readonly streaming: Streaming;
  /** Lines as they were written; those to come, too, with `follow`. */
  logs(id: string, options: LogOptions, signal: AbortSignal): AsyncIterable<LogLine>;
  /** The log's file was renamed: the runtime goes on in a new one. */
  reopenContainerLog(id: string): Promise<void>;
  /**
   * Writes the state of a running container into a file of this name among the node's checkpoints; it goes on running.
   * @param timeoutSeconds counts where it is longer than that of other requests
   * @returns the file
   */
  checkpointContainer(
    id: string,
    checkpoint: { readonly name: string; readonly timeoutSeconds: number },
  ): Promise<string>;
  /** What pods use, by uid. */
  listStats(): Promise<ReadonlyMap<string, PodStats>>;
}
