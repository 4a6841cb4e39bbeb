import type { Node } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import { admitPod, type PodAdmission } from "../admission/admit-pod.js";
import { createResourceLedger, type ResourceLedger } from "../admission/node-resources.js";
import { type CachedPod, isTerminalPhase, uidOf } from "../objects/cached-pod.js";
import { removePod } from "../worker/collect-dead.js";
import { createImagePuller } from "../worker/image-puller.js";
import type { NodeContext } from "../worker/node-context.js";
import { PodWorker, type PodWorkerOptions } from "../worker/pod-worker.js";

export interface PodWorkersOptions {
  readonly context: Omit<NodeContext, "admit" | "admitResize">;
  /** The Node whose resources pods take, as far as it is known. */
  node(): DeepReadonly<Node> | undefined;
  /** Refuses pods before their resources are looked at: evictions, the platform. */
  admit(pod: CachedPod): PodAdmission;
  /** Whether workers write nothing just now. */
  isHeld(): boolean;
}

/** The workers of one node's pods, and what those pods take of the node. */
export class PodWorkers {
  readonly context: NodeContext;
  readonly ledger: ResourceLedger = createResourceLedger();
  readonly #options: PodWorkersOptions;
  readonly #workers = new Map<string, PodWorker>();
  readonly #puller;

  constructor(options: PodWorkersOptions) {
    this.#options = options;
    this.context = {
      ...options.context,
      admit: (pod) => {
        const first = options.admit(pod);
        return first.admitted ? this.#fits(pod) : first;
      },
      admitResize: (pod) => this.#admitResize(pod),
    };
    this.#puller = createImagePuller(options.context);
  }

  get all(): ReadonlyMap<string, PodWorker> {
    return this.#workers;
  }

  get(uid: string): PodWorker | undefined {
    return this.#workers.get(uid);
  }

  /** Those that evictions choose from. */
  running(): PodWorker[] {
    return [...this.#workers.values()].filter(({ stage }) => stage === "running");
  }

  start(
    pod: CachedPod,
    { mirror, onGone }: Pick<PodWorkerOptions, "mirror"> & { onGone?: () => void } = {},
  ): PodWorker {
    const uid = uidOf(pod);
    const worker = new PodWorker({
      context: this.context,
      puller: this.#puller,
      pod,
      isHeld: () => this.#options.isHeld(),
      onGone: () => {
        this.#forget(uid);
        onGone?.();
      },
      ...(mirror && { mirror }),
    });
    this.#workers.set(uid, worker);
    worker.begin();
    if (worker.stage !== "terminated" && !isTerminalPhase(pod.status?.phase)) this.ledger.add(pod);
    return worker;
  }

  /** What a pod took is free again: resizes that waited for it may fit now. */
  release(uid: string): void {
    if (this.ledger.take(uid) === undefined) return;
    for (const worker of this.#workers.values()) if (worker.isResizePending) worker.wake();
  }

  /** The API server does not have the pod any more: it no longer counts, though it may take a while to end (upstream's GetActivePods). */
  remove(uid: string): void {
    this.#workers.get(uid)?.remove();
    this.release(uid);
  }

  /** What ran of the pod ends; nothing of that is reported. */
  async abandon(worker: PodWorker): Promise<void> {
    const { uid } = worker;
    this.#workers.delete(uid);
    await worker.stop();
    const { containers, host } = this.context;
    const status = await containers.podStatus(uid);
    for (const { id } of status.sandboxes) await containers.stopPodSandbox(id);
    await removePod(containers, status);
    await host.release(uid);
  }

  /** Stops all workers; what they run goes on. */
  async drop(): Promise<void> {
    const workers = [...this.#workers.values()];
    this.#workers.clear();
    for (const worker of workers) this.ledger.take(worker.uid);
    await Promise.all(workers.map((worker) => worker.stop()));
  }

  #fits(pod: CachedPod): PodAdmission {
    return admitPod(pod, { node: this.#options.node(), others: this.#others(pod), used: this.ledger });
  }

  #admitResize(pod: CachedPod): PodAdmission {
    const before = this.ledger.take(uidOf(pod));
    const admission = this.#fits(pod);
    if (admission.admitted) this.ledger.add(pod);
    else if (before) this.ledger.put(uidOf(pod), before);
    return admission;
  }

  *#others(pod: CachedPod): Iterable<CachedPod> {
    for (const worker of this.#workers.values())
      if (worker.uid !== uidOf(pod) && worker.stage !== "terminated" && !worker.isRemoved) yield worker.pod();
  }

  #forget(uid: string): void {
    void this.#workers.get(uid)?.stop();
    this.#workers.delete(uid);
    this.release(uid);
  }
}
