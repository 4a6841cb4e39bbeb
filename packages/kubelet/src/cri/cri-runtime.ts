import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Runtime } from "@coxswain/runtime";
import { CgroupDriver, ContainerState, runtimeService } from "../gen/cri.js";
import type { LoggedRun, NodeLogs } from "../logs/node-logs.js";
import { readLog } from "../logs/read-log.js";
import { checkpointsDirectory } from "../machine/pod-directories.js";
import type { CachedContainer, CachedPod } from "../objects/cached-pod.js";
import {
  type ContainerConfig,
  type ContainerRuntime,
  type DriverVolumeStats,
  type ExecOutput,
  ExecTimeoutError,
  type ImageRecord,
  type LogLine,
  type LogOptions,
  type PodRuntimeStatus,
  type PodSandboxConfig,
  type PodStats,
  type PullRequest,
  RuntimeError,
  type RuntimePod,
  type RuntimeStatus,
  type SandboxRecord,
  type StreamsByUrl,
} from "../runtime/container-runtime.js";
import { ContainerFiles } from "./container-files.js";
import { type CriClient, createCriClient, hasCriCode, isUnimplemented, wholeError } from "./cri-client.js";
import { CriImages } from "./cri-images.js";
import { CriPods } from "./cri-pods.js";
import { CriStatistics } from "./cri-stats.js";
import { createCriStreams } from "./cri-streams.js";
import { followPods } from "./follow-pods.js";
import { labelNames, readAnnotations } from "./labels.js";
import { planContainer } from "./plan-container.js";
import { planHost } from "./plan-hosts.js";
import { planResources, type ResourceFacts } from "./plan-resources.js";
import { planSandbox, type SandboxFacts } from "./plan-sandbox.js";
import type { SecurityFacts } from "./plan-security.js";
import { readRuntimeStatus, readSandbox } from "./read-status.js";
import { terminationMessage } from "./termination-message.js";

export interface CriRuntimeOptions {
  readonly runtime: Runtime;
  /** `unix:///run/containerd/containerd.sock`. */
  readonly endpoint: string;
  /** `runtimeRequestTimeout` in milliseconds. */
  readonly requestTimeoutMs: number;
  /** So many images are pulled at once. */
  readonly maxParallelPulls: number;
  /** What planners go by; asked for at each plan, since the node's resolver may change. */
  sandboxFacts(): Promise<SandboxFacts>;
  readonly resources: ResourceFacts;
  readonly security: SecurityFacts;
  readonly logs: NodeLogs;
  /** What a pod's volumes use of the node's disk, as far as it is known. */
  volumeUsage(podUid: string): Promise<PodStats["volumes"]>;
  driverVolumeUsage(podUid: string): Promise<readonly DriverVolumeStats[]>;
}

/** A runtime that is silent for so long is down (pkg/kubelet/kubelet.go, maxWaitForContainerRuntime). */
const statusTimeoutMs = 30_000;

/** Containers by a runtime that speaks CRI v1: containerd from 1.6 on. */
export class CriRuntime implements ContainerRuntime {
  readonly name: string;
  readonly streaming: StreamsByUrl;
  readonly #options: CriRuntimeOptions;
  readonly #client: CriClient;
  readonly #pods: CriPods;
  readonly #images: CriImages;
  readonly #files: Promise<ContainerFiles>;
  readonly #statistics: CriStatistics;
  /** Of containers that this process made, for their logs. */
  readonly #runs = new Map<string, LoggedRun>();
  readonly #listeners = new Set<(podUid: string) => void>();
  readonly #ending = new AbortController();
  readonly #following: Promise<void>;
  #version: string;

  constructor(
    options: CriRuntimeOptions,
    client: CriClient,
    identity: { readonly name: string; readonly version: string },
  ) {
    const { runtime } = options;
    this.name = identity.name;
    this.#version = identity.version;
    this.#options = options;
    this.#client = client;
    this.#pods = new CriPods({ client, terminationMessage: (status) => terminationMessage(status, runtime.ioClock) });
    this.#images = new CriImages(client, options.maxParallelPulls);
    this.#statistics = new CriStatistics({
      client,
      logUsage: ({ pod, container }) => options.logs.usage({ metadata: pod }, container),
    });
    this.#files = options.sandboxFacts().then(({ paths }) => new ContainerFiles({ paths, random: runtime.random }));
    this.streaming = createCriStreams(client, this.#pods);
    this.#following = followPods(
      { client, pods: this.#pods, runtime, onChange: (uid) => this.#notify(uid) },
      this.#ending.signal,
    );
  }

  get version(): string {
    return this.#version;
  }

  #notify(uid: string): void {
    for (const listener of this.#listeners) listener(uid);
  }

  /** The runtime may have been replaced by a newer one since it was asked last. */
  async status(): Promise<RuntimeStatus> {
    const options = { timeoutMs: Math.min(this.#options.requestTimeoutMs, statusTimeoutMs) };
    const [{ runtimeVersion }, status] = await Promise.all([
      this.#client.call(runtimeService.version, {}, options),
      this.#client.call(runtimeService.status, {}, options),
    ]);
    this.#version = runtimeVersion;
    return readRuntimeStatus(status);
  }

  async runPodSandbox(config: PodSandboxConfig, signal?: AbortSignal): Promise<SandboxRecord> {
    const planned = planSandbox(config, await this.#options.sandboxFacts());
    await this.#options.logs.prepare(config.pod, "");
    const request = { config: planned, runtimeHandler: config.runtimeHandler };
    try {
      // Upstream's: a network may take longer than other requests.
      const timeoutMs = 2 * this.#options.requestTimeoutMs;
      const { podSandboxId } = await this.#client.call(runtimeService.runPodSandbox, request, { timeoutMs, signal });
      const { status } = await this.#client.call(runtimeService.podSandboxStatus, { podSandboxId });
      if (!status) throw new RuntimeError(`the sandbox ${podSandboxId} has no status`);
      return readSandbox(status);
    } catch (error) {
      throw wholeError(error);
    }
  }

  async stopPodSandbox(id: string): Promise<void> {
    await ignoreMissing(this.#client.call(runtimeService.stopPodSandbox, { podSandboxId: id }));
  }

  async removePodSandbox(id: string): Promise<void> {
    await ignoreMissing(this.#client.call(runtimeService.removePodSandbox, { podSandboxId: id }));
    this.#pods.forget(id);
  }

  imageStatus(image: string): Promise<ImageRecord | undefined> {
    return this.#images.status(image);
  }

  pullImage(request: PullRequest, signal?: AbortSignal): Promise<ImageRecord> {
    return this.#images.pull(request, signal);
  }

  listImages(): Promise<readonly ImageRecord[]> {
    return this.#images.list();
  }

  removeImage(image: string): Promise<void> {
    return this.#images.remove(image);
  }

  async createContainer(sandboxId: string, config: ContainerConfig): Promise<string> {
    const { resources, security } = this.#options;
    const facts = await this.#options.sandboxFacts();
    const { pod, attempt, cgroupParent, userNamespace } = config;
    const sandboxConfig = planSandbox({ pod, attempt, cgroupParent, userNamespace }, facts);
    const files = await this.#files;
    const ownMounts = await files.make(config, planHost(pod, facts.dns.clusterDomain));
    await this.#options.logs.prepare(pod, config.name);
    const planned = planContainer(config, { resources, security, ownMounts });
    const request = { podSandboxId: sandboxId, config: planned, sandboxConfig };
    const { containerId } = await this.#client.call(runtimeService.createContainer, request);
    this.#pods.noteGiven(containerId, config.resources);
    this.#runs.set(containerId, { pod, container: config.name, id: containerId, attempt });
    return containerId;
  }

  async startContainer(id: string, signal?: AbortSignal): Promise<void> {
    await this.#client.call(runtimeService.startContainer, { containerId: id }, { signal });
    const run = this.#runs.get(id);
    if (run) await this.#options.logs.link(run);
  }

  async stopContainer(id: string, timeoutSeconds: number, signal?: AbortSignal): Promise<void> {
    const timeoutMs = timeoutSeconds * 1000 + this.#options.requestTimeoutMs;
    const request = { containerId: id, timeout: timeoutSeconds };
    await ignoreMissing(this.#client.call(runtimeService.stopContainer, request, { timeoutMs, signal }));
  }

  async removeContainer(id: string, { keepsLog } = { keepsLog: false }): Promise<void> {
    const run = this.#runs.get(id) ?? (await this.#loggedRun(id));
    await ignoreMissing(this.#client.call(runtimeService.removeContainer, { containerId: id }));
    this.#pods.forget(id);
    this.#runs.delete(id);
    if (run && !keepsLog) await this.#options.logs.remove(run);
  }

  /** Of a container that another process of ours made. */
  async #loggedRun(id: string): Promise<LoggedRun | undefined> {
    const status = await this.#pods.containerStatus(id);
    if (!status) return undefined;
    const [name, namespace, uid] = [labelNames.podName, labelNames.podNamespace, labelNames.podUid].map((label) =>
      status.labels.get(label),
    );
    if (!name || !namespace || !uid) return undefined;
    const { attempt } = readAnnotations(status.annotations);
    return { pod: { metadata: { name, namespace, uid } }, container: status.metadata?.name ?? "", id, attempt };
  }

  async updateContainerResources(
    id: string,
    { pod, container }: { readonly pod: CachedPod; readonly container: CachedContainer },
  ): Promise<void> {
    const linux = planResources(pod, container, this.#options.resources);
    await this.#client.call(runtimeService.updateContainerResources, { containerId: id, linux });
    this.#pods.noteGiven(id, container.resources ?? {});
  }

  podStatus(podUid: string): Promise<PodRuntimeStatus> {
    return this.#pods.podStatus(podUid);
  }

  listPods(): Promise<readonly RuntimePod[]> {
    return this.#pods.listPods();
  }

  onEvent(listener: (podUid: string) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async execSync(id: string, command: readonly string[], timeoutMs: number, signal?: AbortSignal): Promise<ExecOutput> {
    const timeout = Math.ceil(timeoutMs / 1000);
    const request = { containerId: id, cmd: command, timeout };
    const limit = timeout === 0 ? 0 : timeout * 1000 + this.#options.requestTimeoutMs;
    try {
      return await this.#client.call(runtimeService.execSync, request, { timeoutMs: limit, signal });
    } catch (error) {
      if (!hasCriCode(error, "DEADLINE_EXCEEDED")) throw error;
      const text = `command "${command.join(" ")}" timed out: ${(error as Error).message}`;
      throw new ExecTimeoutError(text, { cause: error });
    }
  }

  async *logs(id: string, options: LogOptions, signal: AbortSignal): AsyncGenerator<LogLine> {
    const status = await this.#pods.containerStatus(id);
    if (!status) throw new RuntimeError(`container "${id}" not found`);
    const exited = new AbortController();
    const uid = status.labels.get(labelNames.podUid);
    const look = async (): Promise<void> => {
      const now = await this.#pods.containerStatus(id).catch(() => status);
      if (now?.state !== ContainerState.CONTAINER_RUNNING) exited.abort();
    };
    const unsubscribe = this.onEvent((podUid) => void (podUid === uid && look()));
    try {
      await look();
      const { ioClock } = this.#options.runtime;
      yield* readLog({ path: status.logPath, options, ioClock, exited: exited.signal, signal });
    } finally {
      unsubscribe();
    }
  }

  async reopenContainerLog(id: string): Promise<void> {
    await this.#client.call(runtimeService.reopenContainerLog, { containerId: id });
  }

  async checkpointContainer(
    id: string,
    { name, timeoutSeconds }: { readonly name: string; readonly timeoutSeconds: number },
  ): Promise<string> {
    const { paths } = await this.#options.sandboxFacts();
    const directory = checkpointsDirectory(paths.rootDir);
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const location = join(directory, name);
    // Upstream's cri-client: a shorter time than that of all requests makes no difference.
    const timeoutMs = Math.max(timeoutSeconds * 1000, this.#options.requestTimeoutMs);
    const request = { containerId: id, location, timeout: Math.floor(timeoutMs / 1000) };
    try {
      await this.#client.call(runtimeService.checkpointContainer, request, { timeoutMs });
      return location;
    } catch (error) {
      throw wholeError(error);
    }
  }

  async listStats(): Promise<ReadonlyMap<string, PodStats>> {
    const stats = await this.#statistics.list();
    const { volumeUsage, driverVolumeUsage } = this.#options;
    for (const [uid, pod] of stats)
      stats.set(uid, { ...pod, volumes: await volumeUsage(uid), driverVolumes: await driverVolumeUsage(uid) });
    return stats;
  }

  /** Containers that run, with the paths of their logs. */
  async runningLogs(): Promise<{ readonly id: string; readonly path: string }[]> {
    const { containers } = await this.#pods.list();
    const running = containers.filter(({ state }) => state === ContainerState.CONTAINER_RUNNING);
    const statuses = await Promise.all(running.map(({ id }) => this.#pods.containerStatus(id)));
    return statuses.flatMap((status) => (status?.logPath ? [{ id: status.id, path: status.logPath }] : []));
  }

  /** Everything goes on running. */
  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#following;
    await this.#client.close();
  }
}

/** Asks the runtime who it is. @throws RuntimeError where nothing answers */
export async function connectCriRuntime(options: CriRuntimeOptions): Promise<CriRuntime> {
  const { endpoint, runtime, requestTimeoutMs } = options;
  const client = createCriClient({ endpoint, runtime, timeoutMs: requestTimeoutMs });
  try {
    const { runtimeName, runtimeVersion } = await client.call(runtimeService.version, {});
    await refuseSystemd(client);
    return new CriRuntime(options, client, { name: runtimeName, version: runtimeVersion });
  } catch (error) {
    await client.close();
    throw error;
  }
}

/** Runtimes before containerd 2 do not report their driver of control groups. @throws RuntimeError */
async function refuseSystemd(client: CriClient): Promise<void> {
  const { linux } = await client.call(runtimeService.runtimeConfig, {}).catch((error: unknown) => {
    if (isUnimplemented(error)) return { linux: undefined };
    throw error;
  });
  if (linux?.cgroupDriver === CgroupDriver.SYSTEMD)
    throw new RuntimeError(
      "the runtime makes control groups by systemd, which is not supported yet: set SystemdCgroup = false in containerd's configuration",
    );
}

/** What is gone need not be stopped or removed. */
async function ignoreMissing(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!hasCriCode(error, "NOT_FOUND")) throw error;
  }
}
