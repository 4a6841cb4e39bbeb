import type { Node } from "@coxswain/api/core/v1";
import { isNotFound } from "@coxswain/apimachinery/status";
import type { RecordedEvent } from "@coxswain/client/events";
import type { PressureCondition } from "../eviction/signals.js";
import type { ImageRecord } from "../runtime/container-runtime.js";
import type { NodeContext } from "../worker/node-context.js";
import { planConditions, pressureEvents } from "./node-object.js";

/** Upstream's nodeStatusReportFrequency: a status that did not change is written this often. */
const reportMs = 5 * 60_000;
/** Upstream's nodeStatusMaxImages. */
const reportedImageLimit = 50;

export interface NodeStatusOptions {
  readonly context: Pick<NodeContext, "client" | "clock" | "runtime" | "node" | "nodeName">;
  record(event: RecordedEvent): void;
  readonly signal: AbortSignal;
}

/** Writes a node's status: when its conditions or images changed, and every five minutes. */
export class NodeStatusReporter {
  readonly #options: NodeStatusOptions;
  #reportedAt = 0;
  #images = "";
  #pressures: readonly PressureCondition[] = [];

  constructor(options: NodeStatusOptions) {
    this.#options = options;
  }

  /** The node was registered with what it has without pods. */
  registered(): void {
    this.#reportedAt = this.#options.context.clock.now();
  }

  /** The next look finds something to write. */
  forget(): void {
    this.#reportedAt = 0;
  }

  /** @returns false where somebody deleted the Node: this kubelet no longer belongs to the cluster until it is started again */
  async report(pressures: readonly PressureCondition[]): Promise<boolean> {
    const { clock, runtime, nodeName } = this.#options.context;
    const records = await runtime.listImages();
    const key = imageKey(records);
    const events = pressureEvents(this.#pressures, pressures);
    const isDue = clock.now() - this.#reportedAt >= reportMs;
    if (!isDue && key === this.#images && events.length === 0) return true;
    for (const reason of events)
      this.#options.record({ type: "Normal", reason, message: `Node ${nodeName} status is now: ${reason}` });
    const isKnown = await this.#write(pressures, key === this.#images ? undefined : records);
    this.#reportedAt = clock.now();
    this.#images = key;
    this.#pressures = pressures;
    return isKnown;
  }

  async #write(pressures: readonly PressureCondition[], records: readonly ImageRecord[] | undefined): Promise<boolean> {
    const { client, clock, nodeName, node } = this.#options.context;
    const images = records
      ?.toSorted((a, b) => b.sizeBytes - a.sizeBytes)
      .slice(0, reportedImageLimit)
      .map(({ ref, image, sizeBytes }) => ({ names: [ref, image], sizeBytes }));
    const conditions = planConditions(node()?.status?.conditions ?? [], { now: clock.now(), pressures });
    const status = { conditions, ...(images && { images }) };
    try {
      const { signal } = this.#options;
      const nodes = client.core.v1.nodes().subresource<Node>("status");
      await nodes.patch(nodeName, { strategic: { status } }, { signal });
      return true;
    } catch (error) {
      if (!isNotFound(error)) throw error;
      return false;
    }
  }
}

/** Equal for the images of the last report: they are added in order, and one that goes changes the sum. */
const imageKey = (records: readonly ImageRecord[]): string =>
  `${records.length} ${records.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)}`;
