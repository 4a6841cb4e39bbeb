import type { Node } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import { pollUntil } from "@coxswain/runtime/wait";
import { type CachedPod, isMirrorPod, isTerminalPhase, uidOf } from "../objects/cached-pod.js";
import type { NodeStats } from "../runtime/container-runtime.js";
import type { StagedNode } from "../stages/node-stages.js";
import { type Manifest, readManifest } from "../static-pods/read-manifest.js";
import { createStaticPods, type StaticPods } from "../static-pods/static-pods.js";
import type { NodeContext } from "../worker/node-context.js";
import type { PodWorker } from "../worker/pod-worker.js";
import type { MachineState } from "./machine-state.js";
import type { NodeAgentOptions } from "./node-agent-options.js";
import { NodeRegistration, unreported } from "./node-registration.js";
import { NodeStatusReporter } from "./node-status.js";
import { NodeUpkeep } from "./node-upkeep.js";
import { PodWorkers } from "./pod-workers.js";
import { createStagedPods, type StagedPods } from "./staged-pods.js";
import { VolumeDeleter } from "./volume-deleter.js";

/** How often a node that is not ready is looked at after its start, and upstream's nodeReadyGracePeriod: from then on the heartbeat is enough. */
const firstReady = { intervalMs: 100, timeoutMs: 120_000 };

/** The kubelet of one node: its registration, its heartbeats, and the workers of its pods. */
export class NodeAgent implements StagedNode {
  readonly #options: NodeAgentOptions;
  readonly #ending = new AbortController();
  readonly #registration: NodeRegistration;
  readonly #workers: PodWorkers;
  readonly #upkeep: NodeUpkeep;
  readonly #status: NodeStatusReporter;
  readonly #staged: StagedPods;
  readonly #static: StaticPods;
  readonly #volumes: VolumeDeleter;
  readonly #unsubscribe: () => void;
  /** Stages write the node's status. */
  #isStaged = false;
  #isLooking = false;
  /** Something changed during a look. */
  #looksAgain = false;
  /** What the Node's annotation asked for last. */
  #machine: MachineState = "on";
  /** `new`: not registered yet. */
  #link: "new" | "up" | "cut" | "dead" = "new";

  constructor(options: NodeAgentOptions) {
    this.#options = options;
    const { context, platform } = options;
    const { signal } = this.#ending;
    this.#registration = new NodeRegistration({
      client: context.client,
      clock: context.runtime.clock,
      signal,
      isUp: () => this.isConnected,
      attempt: (problem, work) => this.#attempt(problem, work),
    });
    this.#upkeep = new NodeUpkeep(options, () => this.#workers);
    this.#workers = new PodWorkers({
      context,
      node: () => context.node() ?? this.#registration.node,
      admit: (pod) => {
        const admission = this.#upkeep.evictions.admit(pod);
        return admission.admitted ? platform.admit(pod) : admission;
      },
      isHeld: () => !this.isConnected,
    });
    this.#status = new NodeStatusReporter({ context, record: (event) => options.recordNode(event), signal });
    this.#staged = createStagedPods({ ...options, ledger: this.#workers.ledger });
    this.#static = createStaticPods({
      client: context.client,
      log: context.runtime.log,
      node: () => this.#registration.name,
      isUp: () => this.isConnected,
      start: (pod, { mirror, onMirrorWritten, onGone }) => {
        platform.adopt(pod);
        return this.#workers.start(pod, { onGone, mirror: { current: mirror, written: onMirrorWritten } });
      },
    });
    this.#volumes = new VolumeDeleter({
      ...context,
      deleteVolume: (name) => platform.deleteVolume(name),
      record: (event) => options.recordNode(event),
    });
    this.#unsubscribe = context.containers.onEvent((uid) => this.wake(uid));
  }

  get name(): string {
    return this.context.nodeName;
  }

  get hostIPs(): readonly string[] {
    return this.context.hostIPs;
  }

  get isConnected(): boolean {
    return this.#link === "up";
  }

  /** Whether it was registered once, or stays away on purpose. */
  get isStarted(): boolean {
    return this.#link !== "new";
  }

  /** Its pods, with what is known of them here. */
  get workers(): ReadonlyMap<string, PodWorker> {
    return this.#workers.all;
  }

  get context(): NodeContext {
    return this.#workers.context;
  }

  /** What the node as a whole has left. */
  nodeStats(): Promise<NodeStats> {
    return this.#options.platform.nodeStats();
  }

  async register(): Promise<void> {
    const { stages, platform } = this.#options;
    const node = await platform.node(this.context.runtime.clock.now());
    // Stages make the node ready where they select it as it is stored, or as it is before anything is reported of it.
    const stored = this.context.node();
    this.#isStaged = stages.drivesNode(stored ?? unreported(node));
    await this.#registration.register(node, this.#isStaged);
    this.#options.recordNode({ type: "Normal", reason: "Starting", message: "Starting kubelet." });
    if (!this.#isStaged) this.#status.registered(await this.#upkeep.findings(), stored?.status?.conditions);
    await this.#registration.renewNow();
    await platform.registered();
  }

  /** Takes over what runs according to the API; then it follows its pods. */
  begin(pods: readonly CachedPod[]): void {
    this.#link = "up";
    for (const pod of pods) {
      if (isMirrorPod(pod)) this.#static.mirrorChanged(pod);
      if (isMirrorPod(pod) || this.#staged.takes(pod, false)) continue;
      this.#options.platform.adopt(pod);
      this.podChanged(pod);
    }
    this.#static.reconcile();
    void this.#attempt("what is left of other pods was not removed", () => this.#upkeep.sweep());
    void this.#attempt("the node was not looked at", () => this.#lookWhenReady());
    const node = this.context.node();
    if (node) this.nodeChanged(node);
  }

  /** The node as the API server has it now. */
  nodeChanged(node: DeepReadonly<Node>): void {
    this.#options.platform.nodeChanged();
    if (!this.isConnected) return;
    this.#volumes.look(node);
    this.#options.stages.offerNode(node);
  }

  /** The manifests of static pods as they are now; those that are refused are logged. */
  setManifests(manifests: readonly Manifest[]): void {
    const { log, clock } = this.context.runtime;
    this.#static.replace(
      manifests.flatMap((manifest) => {
        try {
          return readManifest(manifest, { nodeName: this.name, now: clock.now() });
        } catch (error) {
          log.warn("a manifest of a static pod is not used", { node: this.name, source: manifest.source, error });
          return [];
        }
      }),
    );
  }

  /** The worker of a pod that the API server has, of a static pod by its mirror. */
  workerOf(pod: CachedPod): PodWorker | undefined {
    return isMirrorPod(pod) ? this.#static.workerOf(pod) : this.#workers.get(uidOf(pod));
  }

  renew(): Promise<void> {
    return this.#registration.renew();
  }

  /** What a kubelet looks at next to its lease: static pods, images, evictions; now and then, and when something changed, it writes the status. */
  async look(): Promise<void> {
    if (this.#link !== "up" || !this.#registration.node) return;
    this.#looksAgain = this.#isLooking;
    if (this.#isLooking) return;
    this.#isLooking = true;
    do {
      this.#looksAgain = false;
      await this.#attempt("a heartbeat failed", () => this.#lookOnce());
    } while (this.#looksAgain && !this.#ending.signal.aborted);
    this.#isLooking = false;
  }

  async #lookOnce(): Promise<void> {
    this.#static.reconcile();
    if (this.#isStaged) {
      if (this.#options.stages.hasNodeStages) return;
      this.#isStaged = false;
      this.#status.forget();
    }
    const node = this.context.node();
    if (node) this.#volumes.look(node);
    // Without a runtime most of it fails; the status reports why.
    await this.#attempt("the node was not looked at", () => this.#upkeep.look());
    if (!(await this.#status.report(await this.#upkeep.findings()))) this.#registration.forget();
  }

  /** A node whose network comes after its registration is ready at once then, not with the next heartbeat (pkg/kubelet/kubelet.go, fastStatusUpdateOnce). */
  async #lookWhenReady(): Promise<void> {
    const { conditions = [] } = this.#registration.node?.status ?? {};
    if (!conditions.some(({ type, status }) => type === "Ready" && status === "False")) return;
    const isReady = async (): Promise<boolean> => (await this.#upkeep.findings()).problems.length === 0;
    const { clock } = this.context.runtime;
    if (await pollUntil(isReady, { ...firstReady, clock, signal: this.#ending.signal })) await this.look();
  }

  /** The next heartbeat tries again. */
  async #attempt(problem: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!this.#ending.signal.aborted) this.context.runtime.log.debug(problem, { node: this.name, error });
    }
  }

  /** Something that a pod needs changed. */
  wake(podUid: string): void {
    this.#workers.get(podUid)?.wake();
  }

  /** A pod that is assigned to this node was added or changed. */
  podChanged(pod: CachedPod): void {
    if (this.#link !== "up") return;
    if (isMirrorPod(pod)) return this.#static.mirrorChanged(pod);
    const uid = uidOf(pod);
    const worker = this.#workers.get(uid);
    if (this.#staged.takes(pod, worker !== undefined)) return;
    if (isTerminalPhase(pod.status?.phase)) this.#workers.release(uid);
    if (!worker) return void this.#workers.start(pod);
    this.#options.platform.podChanged(pod);
    worker.update(pod);
  }

  podDeleted(pod: CachedPod): void {
    this.#staged.forget(uidOf(pod));
    if (this.#link !== "up") return;
    if (isMirrorPod(pod)) return this.#static.mirrorDeleted(pod);
    this.#workers.remove(uidOf(pod));
  }

  podIPsOf(uid: string): readonly string[] {
    return this.#staged.addressesOf(uid);
  }

  handOver(pod: CachedPod): void {
    const worker = this.#workers.get(uidOf(pod));
    if (!worker) return;
    this.#staged.takeOver(worker.uid);
    void this.#workers.abandon(worker);
  }

  handOverStatus(): void {
    this.#isStaged = true;
  }

  /** As when memory runs low: evicts the pod that goes first, and returns it; undefined where none may be evicted. */
  evictFirst(): Promise<CachedPod | undefined> {
    return this.#upkeep.evictions.evictFirst();
  }

  /** Does what the Node's annotation asks for, where that changed. */
  async followMachine(state: MachineState): Promise<void> {
    if (state === this.#machine) return;
    this.#machine = state;
    try {
      if (state === "off") await this.kill();
      else if (state === "unreachable") this.partition();
      else await this.recover();
    } catch (error) {
      if (!this.#ending.signal.aborted)
        this.context.runtime.log.warn("a node did not recover", { node: this.name, error });
    }
  }

  /** As `followMachine` of a node that was turned off before the process started: it is not registered. */
  stayAway(state: "off" | "unreachable"): void {
    this.#machine = state;
    this.#link = state === "off" ? "dead" : "cut";
  }

  /** The API server and the node do not reach each other; what runs goes on. */
  partition(): void {
    if (this.#link === "up") this.#link = "cut";
  }

  /** The machine is off: what ran is gone. */
  async kill(): Promise<void> {
    this.#link = "dead";
    await this.#dropWorkers();
    this.#options.platform.losePower();
  }

  /** The node is there again and catches up with what it missed. */
  async recover(): Promise<void> {
    if (this.#link === "up") return;
    if (!this.#registration.node || this.context.node() === undefined) await this.register();
    else if (!this.#isStaged) this.#status.forget();
    this.#link = "up";
    await this.renew(); // what it cannot write now it writes with the next heartbeat
    await this.look();
    this.#static.reconcile();
    const known = new Set<string>();
    for (const pod of this.#options.pods()) {
      known.add(uidOf(pod));
      this.podChanged(pod);
    }
    for (const [uid, worker] of this.#workers.all) {
      if (known.has(uid) || this.#static.owns(worker)) this.context.writer.enqueue(worker);
      else this.#workers.remove(uid);
    }
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    this.#unsubscribe();
    await this.#dropWorkers();
    // What runs in simulated containers would go on for ever, with nobody to report to.
    this.#options.platform.losePower();
    await this.#options.platform.stop();
  }

  async #dropWorkers(): Promise<void> {
    const dropped = this.#workers.drop();
    this.#static.restart();
    await dropped;
  }
}
