import type { Node } from "@coxswain/api/core/v1";
import { isNotFound } from "@coxswain/apimachinery/status";
import type { RecordedEvent } from "@coxswain/client/events";
import type { ImageRecord } from "../runtime/container-runtime.js";
import type { NodeContext } from "../worker/node-context.js";
import { conditionEvents, type KnownCondition, type NodeFindings, planConditions } from "./node-object.js";

/** Upstream's nodeStatusReportFrequency: a status that did not change is written this often. */
const reportMs = 5 * 60_000;
/** Upstream's nodeStatusMaxImages. */
const reportedImageLimit = 50;
/** Upstream's MaxNamesPerImageInNodeStatus. */
const namesPerImage = 5;

export interface NodeStatusOptions {
  readonly context: Pick<NodeContext, "client" | "runtime" | "containers" | "node" | "nodeName">;
  record(event: RecordedEvent): void;
  readonly signal: AbortSignal;
}

/** Writes a node's status: when its conditions or images changed, and every five minutes. */
export class NodeStatusReporter {
  readonly #options: NodeStatusOptions;
  #reportedAt = 0;
  #images = "";
  #problems = "";
  #isUnschedulable = false;

  constructor(options: NodeStatusOptions) {
    this.#options = options;
  }

  /** The node was registered with what it has without pods. `before`: the conditions of a Node that was there already. */
  registered(findings: NodeFindings, before: readonly KnownCondition[] = []): void {
    this.#reportedAt = this.#options.context.runtime.clock.now();
    // Upstream's kubelet plans a new Node at every start and reports its conditions, whatever is stored.
    for (const reason of conditionEvents([], { ...findings, problems: [] })) this.#recordStatus(reason);
    this.#options.record({
      type: "Normal",
      reason: "NodeAllocatableEnforced",
      message: "Updated Node Allocatable limit across pods",
    });
    const wasReady = before.some(({ type, status }) => type === "Ready" && status === "True");
    const isReady = findings.problems.length === 0;
    if (isReady !== wasReady) this.#recordStatus(isReady ? "NodeReady" : "NodeNotReady");
  }

  #recordStatus(reason: string): void {
    const message = `Node ${this.#options.context.nodeName} status is now: ${reason}`;
    this.#options.record({ type: "Normal", reason, message });
  }

  /** The next look finds something to write. */
  forget(): void {
    this.#reportedAt = 0;
  }

  /** @returns false where somebody deleted the Node: this kubelet no longer belongs to the cluster until it is started again */
  async report(findings: NodeFindings): Promise<boolean> {
    const { runtime, node } = this.#options.context;
    const { clock } = runtime;
    const records = await this.#listImages(findings);
    const key = records ? imageKey(records) : this.#images;
    const events = this.#eventsAbout(findings);
    const isDue = clock.now() - this.#reportedAt >= reportMs;
    this.#noteSchedulable(node()?.spec?.unschedulable ?? false);
    const isSame = events.length === 0 && !this.#hasNewProblem(findings) && !this.#hasNewVolumes(findings);
    if (!isDue && key === this.#images && isSame) return true;
    for (const reason of events) this.#recordStatus(reason);
    const isKnown = await this.#write(findings, key === this.#images ? undefined : records);
    this.#reportedAt = clock.now();
    this.#images = key;
    return isKnown;
  }

  /** Undefined where the runtime does not answer: that is no reason to report nothing, least of all that. */
  async #listImages({ problems }: NodeFindings): Promise<readonly ImageRecord[] | undefined> {
    if (problems.length > 0) return undefined;
    return this.#options.context.containers.listImages().catch(() => undefined);
  }

  /** Others may have changed the conditions: those of a node that did not report for long are Unknown. */
  #eventsAbout(findings: NodeFindings): string[] {
    const stored = this.#options.context.node()?.status?.conditions;
    return stored ? conditionEvents(stored, findings) : [];
  }

  /** Another reason for the same condition is shown at once, too. */
  #hasNewProblem({ problems }: NodeFindings): boolean {
    const key = problems.join();
    const isNew = key !== this.#problems;
    this.#problems = key;
    return isNew;
  }

  /** Controllers attach and detach by them. */
  #hasNewVolumes({ volumesInUse = [] }: NodeFindings): boolean {
    const stored = this.#options.context.node()?.status?.volumesInUse ?? [];
    return volumesInUse.join() !== stored.join();
  }

  #noteSchedulable(isUnschedulable: boolean): void {
    if (isUnschedulable === this.#isUnschedulable) return;
    this.#isUnschedulable = isUnschedulable;
    this.#recordStatus(isUnschedulable ? "NodeNotSchedulable" : "NodeSchedulable");
  }

  async #write(findings: NodeFindings, records: readonly ImageRecord[] | undefined): Promise<boolean> {
    const { client, runtime, nodeName, node } = this.#options.context;
    const images = records
      ?.toSorted((a, b) => b.sizeBytes - a.sizeBytes)
      .slice(0, reportedImageLimit)
      .map(({ tags, digests, sizeBytes }) => ({ names: [...digests, ...tags].slice(0, namesPerImage), sizeBytes }));
    const conditions = planConditions(node()?.status?.conditions ?? [], { now: runtime.clock.now(), ...findings });
    const volumesInUse = this.#hasNewVolumes(findings) ? [...(findings.volumesInUse ?? [])] : undefined;
    const status = { conditions, ...(images && { images }), ...(volumesInUse && { volumesInUse }) };
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
