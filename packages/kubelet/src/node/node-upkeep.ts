import { quantityValue } from "@coxswain/apimachinery/quantity";
import type { RecordedEvent } from "@coxswain/client/events";
import { createEvictionManager, type EvictionManager } from "../eviction/eviction-manager.js";
import { createImageCollector, type ImageCollector } from "../images/image-collector.js";
import { uidOf } from "../objects/cached-pod.js";
import type { NodeStats } from "../runtime/container-runtime.js";
import type { NodeContext } from "../worker/node-context.js";
import type { NodeAgentOptions } from "./node-agent-options.js";
import type { NodeFindings } from "./node-object.js";
import type { PodWorkers } from "./pod-workers.js";

/** Upstream's ImageGCPeriod (pkg/kubelet/kubelet.go). */
const imageCollectionMs = 5 * 60_000;

/** What a kubelet does for its machine at each heartbeat: images, evictions, remains of pods. */
export class NodeUpkeep {
  readonly evictions: EvictionManager;
  readonly #options: NodeAgentOptions;
  readonly #images: ImageCollector;
  readonly #workers: () => PodWorkers;
  #collectedAt: number;
  /** Whether nothing was left the last time. */
  #isSwept = false;
  #sweeping: Promise<void> | undefined;

  constructor(options: NodeAgentOptions, workers: () => PodWorkers) {
    const context: Pick<NodeContext, "containers" | "runtime" | "node" | "pulls" | "record" | "counts"> =
      options.context;
    const { containers } = context;
    const { clock } = context.runtime;
    const nodeStats = (): Promise<NodeStats> => options.platform.nodeStats();
    const record = (event: RecordedEvent): void => options.recordNode(event);
    this.#options = options;
    this.#workers = workers;
    this.#collectedAt = clock.now();
    this.#images = createImageCollector({
      policy: options.rules.images,
      containers,
      nodeStats,
      clock,
      podUids: () => workers().all.keys(),
      pulls: context.pulls,
      record,
    });
    this.evictions = createEvictionManager({
      settings: options.rules.eviction,
      containers,
      nodeStats,
      images: this.#images,
      clock,
      allocatableMemory: () => quantityValue(context.node()?.status?.allocatable?.["memory"] ?? "0"),
      pods: () => workers().running(),
      recordPod: (pod, event) => context.record(pod, event),
      recordNode: record,
      onEvicted: (signal) => context.counts.podEvicted(signal),
    });
  }

  async look(): Promise<void> {
    const now = this.#options.context.runtime.clock.now();
    if (now - this.#collectedAt >= imageCollectionMs) {
      this.#collectedAt = now;
      await this.#images.collect();
      this.#isSwept = false;
    }
    if (!this.#isSwept) await this.sweep();
    await this.evictions.synchronize();
  }

  async findings(): Promise<NodeFindings> {
    const { platform } = this.#options;
    return {
      pressures: this.evictions.conditions,
      problems: await platform.problems(),
      volumesInUse: platform.volumesInUse(),
    };
  }

  /** What is left of pods that nobody has any more goes; pods that end just now are still known. What fails is tried again with the next look. */
  sweep(): Promise<void> {
    this.#sweeping ??= this.#sweepOnce().finally(() => (this.#sweeping = undefined));
    return this.#sweeping;
  }

  async #sweepOnce(): Promise<void> {
    this.#isSwept = false;
    this.#isSwept = await this.#options.platform.sweep(() => {
      const known = new Set(this.#workers().all.keys());
      for (const pod of this.#options.pods()) known.add(uidOf(pod));
      return known;
    });
  }
}
