import type { Node } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import type { Runtime } from "@coxswain/runtime";
import { sleep } from "@coxswain/runtime/wait";
import type { PodAddresses } from "../addresses/pod-addresses.js";
import { type CachedContainer, type CachedPod, nameOf, namespaceOf, uidOf } from "../objects/cached-pod.js";
import type { NetworkProber } from "../probes/network-prober.js";
import {
  type ContainerConfig,
  type ContainerRecord,
  type ContainerRuntime,
  type ExecOutput,
  type ImageRecord,
  type LogLine,
  type LogOptions,
  type NodeStats,
  noRuntimeStatus,
  type PodRuntimeStatus,
  type PodSandboxConfig,
  type PodStats,
  type PullRequest,
  RuntimeError,
  type RuntimePod,
  type RuntimeStatus,
  type SandboxRecord,
  type StreamsInside,
} from "../runtime/container-runtime.js";
import { type Behaviour, type BehaviourRules, isSameBehaviour, planBehaviour } from "./behaviour.js";
import { hasProgram } from "./container-shell.js";
import { type ImageRule, imageNotFound, rulesOfImage } from "./image-rules.js";
import { planNodeUsage } from "./node-usage.js";
import type { SimulatedConfig } from "./own-config.js";
import { reportedRuns } from "./reported-runs.js";
import { simulatedImage } from "./simulated-image.js";
import type { SimulatedMachine } from "./simulated-machine.js";
import { configOf, newContainer, refreshMounts, statusOf } from "./simulated-pod.js";
import { SimulatedPods } from "./simulated-pods.js";
import { answerByRules, createSimulatedProber } from "./simulated-prober.js";
import { checkToEnd, createSimulatedStreams } from "./simulated-streams.js";
import { planPodUsage, planUsage } from "./usage.js";

export interface SimulatedRuntimeOptions {
  readonly runtime: Runtime;
  /** Of the node's pod range. */
  readonly addresses: PodAddresses;
  readonly rules: BehaviourRules;
  readonly imageRules: readonly ImageRule[];
  /** Shared by the nodes of a process. */
  readonly machine: SimulatedMachine;
  /** A configuration made from a pod's status, with variables and mounts. */
  complete(config: SimulatedConfig): Promise<SimulatedConfig>;
  /** As the API server has it now: its annotations may state what it uses beside its pods. */
  node(): DeepReadonly<Node> | undefined;
}

const ready: RuntimeStatus = {
  conditions: [
    { type: "RuntimeReady", status: true, reason: "", message: "" },
    { type: "NetworkReady", status: true, reason: "", message: "" },
  ],
  handlers: [{ name: "", recursiveReadOnlyMounts: true, userNamespaces: false }],
  features: { supplementalGroupsPolicy: true },
};

/** A runtime without containers: everything it reports follows from rules, at the times of a clock. */
export class SimulatedRuntime implements ContainerRuntime {
  readonly name = "simulated";
  readonly version = "1.36";
  readonly streaming: StreamsInside;
  /** Answers probes and hooks over the network. */
  readonly prober: NetworkProber;
  readonly #options: SimulatedRuntimeOptions;
  readonly #pods: SimulatedPods;
  readonly #images = new Map<string, ImageRecord>();
  #lastBehaviour: Behaviour | undefined;

  constructor(options: SimulatedRuntimeOptions) {
    this.#options = options;
    this.#pods = new SimulatedPods(options);
    this.streaming = createSimulatedStreams(this.#pods);
    this.prober = createSimulatedProber(options.runtime.clock, (id) => this.#pods.find(id));
  }

  get #now(): number {
    return this.#options.runtime.clock.now();
  }

  #newId(): string {
    return Buffer.from(this.#options.runtime.random.bytes(32)).toString("hex");
  }

  #behaviourOf(pod: CachedPod, { container, image = "" }: { container?: string; image?: string } = {}): Behaviour {
    const { rules, imageRules, runtime } = this.#options;
    const behaviour = planBehaviour({
      pod,
      rules,
      imageRules: image === "" ? [] : rulesOfImage(image, imageRules),
      random: runtime.random,
      ...(container !== undefined && { container }),
    });
    // Most containers behave alike, and each would hold 200 bytes for it.
    if (!this.#lastBehaviour || !isSameBehaviour(this.#lastBehaviour, behaviour)) this.#lastBehaviour = behaviour;
    return this.#lastBehaviour;
  }

  async #wait(ms: number, signal?: AbortSignal): Promise<void> {
    if (ms > 0) await sleep(ms, { clock: this.#options.runtime.clock, signal });
  }

  async status(): Promise<RuntimeStatus> {
    return ready;
  }

  async runPodSandbox({ pod, attempt }: PodSandboxConfig, signal?: AbortSignal): Promise<SandboxRecord> {
    const behaviour = this.#behaviourOf(pod);
    await this.#wait(behaviour.sandboxDelayMs, signal);
    failAt(behaviour, "sandbox");
    const ips = pod.spec?.hostNetwork ? [] : [this.#options.addresses.take()];
    const sandbox: SandboxRecord = { id: this.#newId(), attempt, state: "ready", ips, createdAt: this.#now };
    this.#pods.addSandbox(pod, sandbox);
    return sandbox;
  }

  async stopPodSandbox(id: string): Promise<void> {
    this.#pods.stopSandbox(id);
  }

  async removePodSandbox(id: string): Promise<void> {
    this.#pods.removeSandbox(id);
  }

  async imageStatus(image: string): Promise<ImageRecord | undefined> {
    return this.#images.get(image);
  }

  async pullImage({ image, pod }: PullRequest, signal?: AbortSignal): Promise<ImageRecord> {
    const behaviour = this.#behaviourOf(pod, { image });
    await this.#wait(behaviour.pullDelayMs, signal);
    failAt(behaviour, "pull", imageNotFound(image));
    // Those that there are already are the same: a record for each pull would be half a kilobyte of each pod.
    const record = this.#images.get(image) ?? simulatedImage(image);
    this.#images.set(image, record);
    return record;
  }

  async listImages(): Promise<readonly ImageRecord[]> {
    return [...this.#images.values()];
  }

  async removeImage(image: string): Promise<void> {
    for (const [name, { id }] of this.#images) if (name === image || id === image) this.#images.delete(name);
  }

  async createContainer(sandboxId: string, config: ContainerConfig): Promise<string> {
    const home = this.#pods.ofSandbox(sandboxId);
    if (!home) throw new RuntimeError(`failed to find sandbox id "${sandboxId}": not found`);
    const behaviour = this.#behaviourOf(config.pod, { container: config.name, image: config.image.image });
    failAt(behaviour, "create");
    const record: ContainerRecord = {
      id: this.#newId(),
      sandboxId,
      name: config.name,
      attempt: config.attempt,
      state: "created",
      image: config.image.image,
      imageId: config.image.id,
      imageRef: config.image.ref,
      specHash: config.specHash,
      resources: config.resources,
      createdAt: this.#now,
    };
    this.#pods.addContainer(newContainer({ config, behaviour, home, record }));
    return record.id;
  }

  async startContainer(id: string, signal?: AbortSignal): Promise<void> {
    const container = this.#pods.find(id);
    await this.#wait(container.behaviour.startDelayMs, signal);
    if (hasProgram(configOf(container))) await refreshMounts(container);
    failAt(container.behaviour, "start");
    this.#pods.begin(container, this.#now);
    this.#pods.notify(uidOf(container.home.pod));
  }

  stopContainer(id: string, timeoutSeconds: number, signal?: AbortSignal): Promise<void> {
    const container = this.#pods.container(id);
    if (!container || container.record.state !== "running") return Promise.resolve();
    const { clock } = this.#options.runtime;
    return new Promise((resolve, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
      const timer = clock.setTimer(timeoutSeconds * 1000, () => container.process?.kill());
      container.exited.push(() => (timer.cancel(), resolve()));
      container.process?.terminate();
    });
  }

  async removeContainer(id: string): Promise<void> {
    const container = this.#pods.container(id);
    if (container) this.#pods.removeContainer(container);
  }

  async updateContainerResources(id: string, { container }: { readonly container: CachedContainer }): Promise<void> {
    const found = this.#pods.find(id);
    found.record = { ...found.record, resources: container.resources ?? {} };
    this.#pods.notify(uidOf(found.home.pod));
  }

  async podStatus(uid: string): Promise<PodRuntimeStatus> {
    const home = this.#pods.ofPod(uid);
    return home ? statusOf(home) : noRuntimeStatus;
  }

  async listPods(): Promise<readonly RuntimePod[]> {
    return [...this.#pods.all()].map(([uid, { pod, sandboxes, containers }]) => ({
      uid,
      name: nameOf(pod),
      namespace: namespaceOf(pod),
      isRunning:
        sandboxes.some(({ state }) => state === "ready") ||
        [...containers.values()].flat().some(({ record }) => record.state === "running"),
      createdAt: sandboxes.at(-1)?.createdAt ?? 0,
    }));
  }

  onEvent(listener: (podUid: string) => void): () => void {
    return this.#pods.onEvent(listener);
  }

  execSync(id: string, command: readonly string[], timeoutMs: number, signal?: AbortSignal): Promise<ExecOutput> {
    const { clock } = this.#options.runtime;
    const isHealthy = (): boolean => answerByRules(clock, this.#pods.find(id)).kind === "success";
    return checkToEnd(this.#pods, { id, command, timeoutMs, signal, isHealthy }, clock);
  }

  logs(id: string, options: LogOptions, signal: AbortSignal): AsyncIterable<LogLine> {
    return this.#pods.readableLogOf(this.#pods.find(id)).read(options, signal);
  }

  /** Logs are in memory: there is no file that could have been renamed. */
  async reopenContainerLog(id: string): Promise<void> {
    this.#pods.find(id);
  }

  async checkpointContainer(id: string): Promise<string> {
    this.#pods.find(id);
    throw new RuntimeError("simulated containers have no state that a checkpoint could hold");
  }

  async listStats(): Promise<ReadonlyMap<string, PodStats>> {
    const at = this.#now;
    return new Map([...this.#pods.all()].map(([uid, home]) => [uid, planPodUsage(home, at)]));
  }

  /** What the node as a whole has left. */
  async nodeStats(): Promise<NodeStats> {
    const at = this.#now;
    let imageBytes = 0;
    for (const { sizeBytes } of this.#images.values()) imageBytes += sizeBytes;
    return planNodeUsage({
      node: this.#options.node(),
      stated: [...this.#pods.stated].map(({ record, behaviour }) =>
        planUsage(record, { ...behaviour, memoryBytes: behaviour.memoryBytes ?? 0 }, at),
      ),
      imageBytes,
    });
  }

  /** Restores a pod's state from what the API has: containers that it reports as running run. For a new process of ours. */
  adopt(pod: CachedPod): void {
    const { status } = pod;
    if (this.#pods.ofPod(uidOf(pod)) || !status?.podIP) return;
    const ips = pod.spec?.hostNetwork ? [] : [status.podIP];
    for (const ip of ips) this.#options.addresses.claim(ip);
    const sandbox: SandboxRecord = { id: this.#newId(), attempt: 0, state: "ready", ips, createdAt: this.#now };
    const home = this.#pods.addSandbox(pod, sandbox);
    for (const { config, record } of reportedRuns(pod, sandbox.id)) {
      const container = newContainer({
        config,
        behaviour: this.#behaviourOf(pod, { container: config.name, image: config.image.image }),
        home,
        record,
        isAdopted: true,
      });
      this.#pods.addContainer(container);
      if (!this.#images.has(config.image.image))
        this.#images.set(config.image.image, simulatedImage(config.image.image));
      if (record.state === "running") this.#pods.begin(container, record.startedAt ?? this.#now);
    }
  }

  /** The pod as the API server has it now. */
  renew(pod: CachedPod): void {
    const home = this.#pods.ofPod(uidOf(pod));
    if (home) home.pod = pod;
  }

  /** As when the machine loses power: nothing that ran is there any more. */
  lose(): void {
    this.#pods.lose();
  }
}

function failAt({ fail, failMessage }: Behaviour, step: Behaviour["fail"], otherwise = "simulated failure"): void {
  if (fail === step) throw new RuntimeError(failMessage ?? otherwise);
}
