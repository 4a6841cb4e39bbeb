import type { Lease } from "@coxswain/api/coordination/v1";
import type { Node } from "@coxswain/api/core/v1";
import { quantityValue } from "@coxswain/apimachinery/quantity";
import type { RecordedEvent } from "@coxswain/client/events";
import type { PodAddresses } from "../addresses/pod-addresses.js";
import { admitPod, type PodAdmission } from "../admission/admit-pod.js";
import { createResourceLedger } from "../admission/node-resources.js";
import { createEvictionManager, type EvictionManager } from "../eviction/eviction-manager.js";
import { createImageCollector, type ImageCollector } from "../images/image-collector.js";
import { type CachedPod, isMirrorPod, isTerminalPhase, uidOf } from "../objects/cached-pod.js";
import type { NodeStats } from "../runtime/container-runtime.js";
import type { NodeStages, StagedNode } from "../stages/node-stages.js";
import { type Manifest, readManifest } from "../static-pods/read-manifest.js";
import { createStaticPods, type StaticPods } from "../static-pods/static-pods.js";
import { removePod } from "../worker/collect-dead.js";
import { createImagePuller } from "../worker/image-puller.js";
import type { NodeContext } from "../worker/node-context.js";
import { PodWorker, type PodWorkerOptions } from "../worker/pod-worker.js";
import type { KubeletRules } from "./kubelet-config.js";
import type { MachineState } from "./machine-state.js";
import type { NodeFindings } from "./node-object.js";
import type { NodePlatform } from "./node-platform.js";
import { NodeStatusReporter } from "./node-status.js";
import { registerNode, renewLease } from "./register-node.js";
import { createStagedPods, type StagedPods } from "./staged-pods.js";

export interface NodeAgentOptions {
  readonly context: Omit<NodeContext, "admit" | "admitResize">;
  readonly platform: NodePlatform;
  /** The pods assigned to the node, as the API server has them now. */
  pods(): readonly CachedPod[];
  /** Of pods whose statuses Stages write. */
  readonly addresses: PodAddresses;
  readonly stages: NodeStages;
  readonly rules: KubeletRules;
  recordNode(event: RecordedEvent): void;
}

/** Upstream's ImageGCPeriod. */
const imageCollectionMs = 5 * 60_000;

/** The kubelet of one node: its registration, its heartbeats, and the workers of its pods. */
export class NodeAgent implements StagedNode {
  readonly #options: NodeAgentOptions;
  readonly #context: NodeContext;
  readonly #workers = new Map<string, PodWorker>();
  readonly #ledger = createResourceLedger();
  readonly #puller;
  readonly #ending = new AbortController();
  readonly #unsubscribe: () => void;
  #registered: Node | undefined;
  #lease: Lease | undefined;
  readonly #status: NodeStatusReporter;
  readonly #images: ImageCollector;
  readonly #evictions: EvictionManager;
  #collectedAt: number;
  readonly #staged: StagedPods;
  readonly #static: StaticPods;
  /** Stages write the node's status. */
  #isStaged = false;
  #renewing: Promise<void> | undefined;
  #isRenewalDue = false;
  #isLooking = false;
  /** What the Node's annotation asked for last. */
  #machine: MachineState = "on";
  /** `new`: not registered yet. */
  #link: "new" | "up" | "cut" | "dead" = "new";

  constructor(options: NodeAgentOptions) {
    this.#options = options;
    const { context } = options;
    const fits = (pod: CachedPod): PodAdmission =>
      admitPod(pod, { node: context.node() ?? this.#registered, others: this.#others(pod), used: this.#ledger });
    this.#context = {
      ...context,
      admit: (pod) => {
        const calm = this.#evictions.admit(pod);
        if (!calm.admitted) return calm;
        const suitable = options.platform.admit(pod);
        return suitable.admitted ? fits(pod) : suitable;
      },
      admitResize: (pod) => {
        const before = this.#ledger.take(uidOf(pod));
        const admission = fits(pod);
        if (admission.admitted) this.#ledger.add(pod);
        else if (before) this.#ledger.put(uidOf(pod), before);
        return admission;
      },
    };
    this.#puller = createImagePuller(context);
    const { containers } = context;
    const { clock, log } = context.runtime;
    const nodeStats = (): Promise<NodeStats> => options.platform.nodeStats();
    const record = (event: RecordedEvent): void => options.recordNode(event);
    this.#status = new NodeStatusReporter({ context, record, signal: this.#ending.signal });
    this.#images = createImageCollector({
      policy: options.rules.images,
      containers,
      nodeStats,
      clock,
      podUids: () => this.#workers.keys(),
      record,
    });
    this.#static = createStaticPods({
      client: context.client,
      log,
      node: () => {
        const { name = "", uid = "" } = this.#registered?.metadata ?? {};
        return this.#registered && { name, uid };
      },
      isUp: () => this.#link === "up",
      start: (pod, { mirror, onMirrorWritten, onGone }) => {
        options.platform.adopt(pod);
        return this.#startWorker(pod, { onGone, mirror: { current: mirror, written: onMirrorWritten } });
      },
    });
    this.#collectedAt = clock.now();
    this.#evictions = createEvictionManager({
      settings: options.rules.eviction,
      containers,
      nodeStats,
      images: this.#images,
      clock,
      allocatableMemory: () => quantityValue(context.node()?.status?.allocatable?.["memory"] ?? "0"),
      pods: () => [...this.#workers.values()].filter(({ stage }) => stage === "running"),
      recordPod: (pod, event) => context.record(pod, event),
      recordNode: record,
    });
    this.#staged = createStagedPods({ ...options, ledger: this.#ledger });
    this.#unsubscribe = context.containers.onEvent((uid) => this.#workers.get(uid)?.wake());
  }

  get name(): string {
    return this.#context.nodeName;
  }

  get hostIPs(): readonly string[] {
    return this.#context.hostIPs;
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
    return this.#workers;
  }

  get context(): NodeContext {
    return this.#context;
  }

  /** What the node as a whole has left. */
  nodeStats(): Promise<NodeStats> {
    return this.#options.platform.nodeStats();
  }

  async register(): Promise<void> {
    const { client, runtime } = this.#context;
    const now = runtime.clock.now();
    const node = await this.#options.platform.node(now);
    // Stages make the node ready where they select it as it is stored, or as it is before anything is reported of it.
    const stored = this.#context.node();
    this.#isStaged = this.#options.stages.drivesNode(stored ?? unreported(node));
    const { signal } = this.#ending;
    this.#registered = this.#isStaged
      ? await registerNode(client, unreported(node), { signal, keepsStatus: true })
      : await registerNode(client, node, { signal });
    this.#options.recordNode({ type: "Normal", reason: "Starting", message: "Starting kubelet." });
    if (!this.#isStaged) this.#status.registered(await this.#findings(), stored?.status?.conditions);
    await this.#renew();
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
    void this.#attempt("what is left of other pods was not removed", () => this.#sweep());
    const node = this.#context.node();
    if (node) this.#options.stages.offerNode(node);
  }

  /** The manifests of static pods as they are now; those that are refused are logged. */
  setManifests(manifests: readonly Manifest[]): void {
    const { log, clock } = this.#context.runtime;
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

  /** Renews the lease. What is asked for while a renewal is under way is sent when that is over. */
  renew(): Promise<void> {
    this.#isRenewalDue = true;
    return (this.#renewing ??= this.#renewWhileDue().finally(() => (this.#renewing = undefined)));
  }

  async #renewWhileDue(): Promise<void> {
    while (this.#isRenewalDue && this.#link === "up") {
      this.#isRenewalDue = false;
      await this.#attempt("a lease was not renewed", () => this.#renew());
    }
  }

  /** What a kubelet looks at beside its lease: static pods, images, evictions; now and then, and when something changed, it writes the status. */
  async look(): Promise<void> {
    if (this.#link !== "up" || !this.#registered || this.#isLooking) return;
    this.#isLooking = true;
    await this.#attempt("a heartbeat failed", () => this.#lookOnce());
    this.#isLooking = false;
  }

  async #lookOnce(): Promise<void> {
    const { clock } = this.#context.runtime;
    this.#static.reconcile();
    if (this.#isStaged) {
      if (this.#options.stages.hasNodeStages) return;
      this.#isStaged = false;
      this.#status.forget();
    }
    if (clock.now() - this.#collectedAt >= imageCollectionMs) {
      this.#collectedAt = clock.now();
      await this.#images.collect();
      await this.#sweep();
    }
    await this.#evictions.synchronize();
    await this.#reportStatus();
  }

  /** The next heartbeat tries again. */
  async #attempt(problem: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!this.#ending.signal.aborted) this.#context.runtime.log.debug(problem, { node: this.name, error });
    }
  }

  async #renew(): Promise<void> {
    if (!this.#registered) return;
    const { client, runtime } = this.#context;
    const facts = { node: this.#registered, known: this.#lease, now: runtime.clock.now() };
    this.#lease = await renewLease(client, facts, this.#ending.signal);
  }

  async #reportStatus(): Promise<void> {
    if (!(await this.#status.report(await this.#findings()))) this.#registered = undefined;
  }

  async #findings(): Promise<NodeFindings> {
    return { pressures: this.#evictions.conditions, problems: await this.#options.platform.problems() };
  }

  /** What is left of pods that nobody has any more goes; pods that end just now are still known. */
  async #sweep(): Promise<void> {
    const known = new Set(this.#workers.keys());
    for (const pod of this.#options.pods()) known.add(uidOf(pod));
    await this.#options.platform.sweep(known);
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
    if (isTerminalPhase(pod.status?.phase)) this.#release(uid);
    if (worker) worker.update(pod);
    else this.#startWorker(pod);
  }

  #startWorker(
    pod: CachedPod,
    { mirror, onGone }: Pick<PodWorkerOptions, "mirror"> & { onGone?: () => void } = {},
  ): PodWorker {
    const uid = uidOf(pod);
    const worker = new PodWorker({
      context: this.#context,
      puller: this.#puller,
      pod,
      isHeld: () => this.#link !== "up",
      onGone: () => {
        this.#forget(uid);
        onGone?.();
      },
      ...(mirror && { mirror }),
    });
    this.#workers.set(uid, worker);
    worker.begin();
    if (worker.stage !== "terminated" && !isTerminalPhase(pod.status?.phase)) this.#ledger.add(pod);
    return worker;
  }

  podDeleted(pod: CachedPod): void {
    this.#staged.forget(uidOf(pod));
    if (this.#link !== "up") return;
    if (isMirrorPod(pod)) return this.#static.mirrorDeleted(pod);
    this.#workers.get(uidOf(pod))?.remove();
  }

  podIPsOf(uid: string): readonly string[] {
    return this.#staged.addressesOf(uid);
  }

  handOver(pod: CachedPod): void {
    const uid = uidOf(pod);
    const worker = this.#workers.get(uid);
    if (!worker) return;
    this.#staged.takeOver(uid);
    this.#workers.delete(uid);
    void this.#abandon(uid, worker);
  }

  /** What ran of the pod is gone; nothing of that is reported. */
  async #abandon(uid: string, worker: PodWorker): Promise<void> {
    await worker.stop();
    const { containers } = this.#context;
    const status = await containers.podStatus(uid);
    for (const { id } of status.sandboxes) await containers.stopPodSandbox(id);
    await removePod(containers, status);
    await this.#context.host.release(uid);
  }

  handOverStatus(): void {
    this.#isStaged = true;
  }

  *#others(pod: CachedPod): Iterable<CachedPod> {
    for (const worker of this.#workers.values())
      if (worker.uid !== uidOf(pod) && worker.stage !== "terminated") yield worker.pod();
  }

  #forget(uid: string): void {
    void this.#workers.get(uid)?.stop();
    this.#workers.delete(uid);
    this.#release(uid);
  }

  /** What a pod took is free again: resizes that waited for it may fit now. */
  #release(uid: string): void {
    if (this.#ledger.take(uid) === undefined) return;
    for (const worker of this.#workers.values()) if (worker.isResizePending) worker.wake();
  }

  /** As when memory runs low: evicts the pod that goes first, and returns it; undefined where none may be evicted. */
  evictFirst(): Promise<CachedPod | undefined> {
    return this.#evictions.evictFirst();
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
        this.#context.runtime.log.warn("a node did not recover", { node: this.name, error });
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
    if (!this.#registered || this.#context.node() === undefined) await this.register();
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
    for (const [uid, worker] of this.#workers) {
      if (this.#static.owns(worker)) this.#context.writer.enqueue(worker);
      else if (!known.has(uid)) worker.remove();
      else this.#context.writer.enqueue(worker);
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
    const workers = [...this.#workers.values()];
    this.#workers.clear();
    this.#static.restart();
    for (const worker of workers) this.#ledger.take(worker.uid);
    await Promise.all(workers.map((worker) => worker.stop()));
  }
}

/** The node without what only a kubelet that runs knows. */
function unreported(node: Node): Node {
  const { conditions: _, ...status } = node.status ?? {};
  return { ...node, status };
}
