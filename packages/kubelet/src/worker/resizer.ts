import { type CachedPod, containersOf, initContainersOf, uidOf } from "../objects/cached-pod.js";
import type { ConditionFacts } from "../pod/conditions.js";
import { reportedAllocation } from "../pod/reported-allocation.js";
import {
  type Allocation,
  allocationOf,
  isResized,
  planContainerResize,
  refuseResize,
  resizeMessage,
  withAllocation,
} from "../pod/resize.js";
import type { PodRuntimeStatus } from "../runtime/container-runtime.js";
import type { NodeContext } from "./node-context.js";
import type { WorkedPod } from "./worked-pod.js";

/** Updates those running containers that can be updated; open: some of them were not as they should be. */
async function updateContainers(
  { host, containers }: NodeContext,
  pod: CachedPod,
  runtime: PodRuntimeStatus,
): Promise<{ readonly isOpen: boolean; readonly hasChanged: boolean }> {
  let isOpen = false;
  let hasChanged = false;
  for (const container of [...initContainersOf(pod), ...containersOf(pod)]) {
    const record = runtime.containers.get(container.name)?.[0];
    const step = record ? planContainerResize(container, record) : "none";
    if (step !== "none") isOpen = true;
    if (!record || step !== "update") continue;
    if (!hasChanged) await host.resizeGroup(pod, "grow");
    await containers.updateContainerResources(record.id, { pod, container });
    hasChanged = true;
  }
  return { isOpen, hasChanged };
}

interface PendingResize {
  readonly reason: "Deferred" | "Infeasible";
  readonly message: string;
  readonly generation: number;
}

type Allocations = ReturnType<NodeContext["host"]["allocation"]>;

/** Changes the resources of one running pod. */
export class Resizer {
  readonly #context: NodeContext;
  readonly #worked: Pick<WorkedPod, "pod">;
  #allocation: Allocation | undefined;
  /** What the kubelet's files have of the pod is looked at once. */
  #isRestored = false;
  /** What the kubelet's files do not have yet. */
  #unsaved: Allocations | undefined;
  /** A resize that the node has no room for, or that is not possible. */
  #pending: PendingResize | undefined;
  #inProgress = false;

  constructor(context: NodeContext, worked: Pick<WorkedPod, "pod">) {
    this.#context = context;
    this.#worked = worked;
  }

  /** The node had no room so far. */
  get isPending(): boolean {
    return this.#pending !== undefined;
  }

  /** The pod with the resources that it was given, which may lag behind those that it asks for. */
  given(): CachedPod {
    return withAllocation(this.#worked.pod(), this.#allocated());
  }

  /**
   * Gives the pod what it asks for, if the node has it. At once, so that a status which has seen a resize shows it: upstream's
   * allocation manager decides before the pod is synced.
   */
  decide(): void {
    if (!this.#isRestored) this.#restore();
    if (isResized(this.#worked.pod(), this.#allocated())) this.#allocate();
    else this.#pending = undefined;
  }

  /** Carries out what was decided on running containers. True where something was changed. */
  async step(runtime: PodRuntimeStatus): Promise<boolean> {
    // Before it is carried out: a kubelet that is killed then finds what it had begun.
    await this.#save();
    return this.#inProgress && (await this.#actuate(runtime));
  }

  conditions(): ConditionFacts["besides"] {
    const pending = this.#pending;
    return [
      ...(pending
        ? [{ type: "PodResizePending", status: "True", reason: pending.reason, message: pending.message } as const]
        : []),
      ...(this.#inProgress ? [{ type: "PodResizeInProgress", status: "True" } as const] : []),
    ];
  }

  #allocated(): Allocation {
    const pod = this.#worked.pod();
    return (this.#allocation ??= this.#context.host.allocation(uidOf(pod)).allocated ?? reportedAllocation(pod));
  }

  /** Goes on where an earlier kubelet stopped; a new pod's resources are written down. */
  #restore(): void {
    this.#isRestored = true;
    const before = this.#context.host.allocation(uidOf(this.#worked.pod()));
    this.#unsaved = {
      ...(!before.allocated && { allocated: this.#allocated() }),
      ...(!before.actuated && { actuated: this.#allocated() }),
    };
    this.#inProgress = before.actuated !== undefined && isResized(this.given(), before.actuated);
  }

  #allocate(): void {
    const pod = this.#worked.pod();
    const impossible = refuseResize(pod);
    if (impossible !== undefined) return this.#defer("Infeasible", impossible);
    const admission = this.#context.admitResize(pod);
    if (!admission.admitted) return this.#defer("Deferred", admission.message);
    this.#allocation = allocationOf(pod);
    this.#unsaved = { ...this.#unsaved, allocated: this.#allocation };
    this.#pending = undefined;
    this.#inProgress = true;
    const message = resizeMessage("Pod resize started", pod);
    this.#context.record(pod, { type: "Normal", reason: "ResizeStarted", message });
  }

  #defer(reason: PendingResize["reason"], message: string): void {
    const pod = this.#worked.pod();
    const generation = pod.metadata?.generation ?? 0;
    const isNew = this.#pending?.reason !== reason || this.#pending.generation !== generation;
    this.#pending = { reason, message, generation };
    const text = resizeMessage(`Pod resize ${reason}`, pod, message);
    if (isNew) this.#context.record(pod, { type: "Warning", reason: `Resize${reason}`, message: text });
  }

  async #save(): Promise<void> {
    if (!this.#unsaved) return;
    const { host } = this.#context;
    const uid = uidOf(this.#worked.pod());
    const { allocated, actuated } = this.#unsaved;
    if (allocated) await host.allocate(uid, allocated);
    if (actuated) await host.actuate(uid, actuated);
    this.#unsaved = undefined;
  }

  /** Brings running containers in line with what they were given; those that must be restarted for it are left to others. */
  async #actuate(runtime: PodRuntimeStatus): Promise<boolean> {
    const { host } = this.#context;
    const { isOpen, hasChanged } = await updateContainers(this.#context, this.given(), runtime);
    if (isOpen) return hasChanged;
    await host.resizeGroup(this.given(), "shrink");
    this.#inProgress = false;
    await host.actuate(uidOf(this.#worked.pod()), this.#allocated());
    const message = resizeMessage("Pod resize completed", this.given());
    this.#context.record(this.#worked.pod(), { type: "Normal", reason: "ResizeCompleted", message });
    return true;
  }
}
