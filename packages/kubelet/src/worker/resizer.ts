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

/** Changes the resources of one running pod. */
export interface Resizer {
  /** The pod with the resources that it was given, which may lag behind those that it asks for. */
  given(): CachedPod;
  /**
   * Gives the pod what it asks for, if the node has it. At once, so that a status which has seen a resize shows it: upstream's
   * allocation manager decides before the pod is synced.
   */
  decide(): void;
  /** Carries out what was decided on running containers. True where something was changed. */
  step(runtime: PodRuntimeStatus): Promise<boolean>;
  conditions(): ConditionFacts["besides"];
  /** The node had no room so far. */
  readonly isPending: boolean;
}

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

const resizeConditions = (pending: PendingResize | undefined, inProgress: boolean): ConditionFacts["besides"] => [
  ...(pending
    ? [{ type: "PodResizePending", status: "True", reason: pending.reason, message: pending.message } as const]
    : []),
  ...(inProgress ? [{ type: "PodResizeInProgress", status: "True" } as const] : []),
];

async function save(
  { host }: NodeContext,
  podUid: string,
  { allocated, actuated }: ReturnType<NodeContext["host"]["allocation"]>,
): Promise<void> {
  if (allocated) await host.allocate(podUid, allocated);
  if (actuated) await host.actuate(podUid, actuated);
}

export function createResizer({ context, pod }: { context: NodeContext; pod(): CachedPod }): Resizer {
  let allocation: Allocation | undefined;
  /** What the kubelet's files have of the pod is looked at once. */
  let isRestored = false;
  /** What the kubelet's files do not have yet. */
  let unsaved: ReturnType<NodeContext["host"]["allocation"]> = {};
  /** A resize that the node has no room for, or that is not possible. */
  let pending: PendingResize | undefined;
  let inProgress = false;

  const allocated = (): Allocation =>
    (allocation ??= context.host.allocation(uidOf(pod())).allocated ?? reportedAllocation(pod()));
  const given = (): CachedPod => withAllocation(pod(), allocated());

  function defer(reason: "Deferred" | "Infeasible", message: string): void {
    const generation = pod().metadata?.generation ?? 0;
    const isNew = pending?.reason !== reason || pending.generation !== generation;
    pending = { reason, message, generation };
    const text = resizeMessage(`Pod resize ${reason}`, pod(), message);
    if (isNew) context.record(pod(), { type: "Warning", reason: `Resize${reason}`, message: text });
  }

  /** Goes on where an earlier kubelet stopped; a new pod's resources are written down. */
  function restore(): void {
    isRestored = true;
    const before = context.host.allocation(uidOf(pod()));
    unsaved = {
      ...(!before.allocated && { allocated: allocated() }),
      ...(!before.actuated && { actuated: allocated() }),
    };
    inProgress = before.actuated !== undefined && isResized(given(), before.actuated);
  }

  function allocate(): void {
    const impossible = refuseResize(pod());
    if (impossible !== undefined) return defer("Infeasible", impossible);
    const admission = context.admitResize(pod());
    if (!admission.admitted) return defer("Deferred", admission.message);
    allocation = allocationOf(pod());
    unsaved = { ...unsaved, allocated: allocation };
    pending = undefined;
    inProgress = true;
    const message = resizeMessage("Pod resize started", pod());
    context.record(pod(), { type: "Normal", reason: "ResizeStarted", message });
  }

  /** Brings running containers in line with what they were given; those that must be restarted for it are left to others. */
  async function actuate(runtime: PodRuntimeStatus): Promise<boolean> {
    const { isOpen, hasChanged } = await updateContainers(context, given(), runtime);
    if (isOpen) return hasChanged;
    await context.host.resizeGroup(given(), "shrink");
    inProgress = false;
    await context.host.actuate(uidOf(pod()), allocated());
    const message = resizeMessage("Pod resize completed", given());
    context.record(pod(), { type: "Normal", reason: "ResizeCompleted", message });
    return true;
  }

  return {
    given,
    decide() {
      if (!isRestored) restore();
      if (isResized(pod(), allocated())) allocate();
      else pending = undefined;
    },
    async step(runtime) {
      // Before it is carried out: a kubelet that is killed then finds what it had begun.
      await save(context, uidOf(pod()), unsaved);
      unsaved = {};
      return inProgress && (await actuate(runtime));
    },
    conditions: () => resizeConditions(pending, inProgress),
    get isPending() {
      return pending !== undefined;
    },
  };
}
