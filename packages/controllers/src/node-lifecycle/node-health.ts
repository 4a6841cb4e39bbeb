import type { DeepReadonly } from "@coxswain/api";
import type { Lease } from "@coxswain/api/coordination/v1";
import type { Node, NodeCondition } from "@coxswain/api/core/v1";
import { parseTimeMs } from "@coxswain/apimachinery/time";

export type CachedNode = DeepReadonly<Node>;
export type CachedLease = DeepReadonly<Lease>;

/** When a node was last seen, by the controller's own clock: those of the nodes may be wrong. */
export interface NodeHealth {
  readonly lastSeenMs: number;
  /** The heartbeat of the Ready condition then; undefined: there was no such condition. */
  readonly heartbeat: string | undefined;
  /** The lease's renewTime then. */
  readonly renewTime: string | undefined;
}

export const conditionOf = ({ status }: CachedNode, type: string): DeepReadonly<NodeCondition> | undefined =>
  status?.conditions?.find((condition) => condition.type === type);

export const readyStatusOf = (node: CachedNode): string | undefined => conditionOf(node, "Ready")?.status;

/** Pure: what is known once this node and its lease were seen. A kubelet that renews its lease alone is alive, too. */
export function observe(
  before: NodeHealth | undefined,
  {
    node,
    lease,
    nowMs,
  }: { readonly node: CachedNode; readonly lease: CachedLease | undefined; readonly nowMs: number },
): NodeHealth {
  const ready = conditionOf(node, "Ready");
  const heartbeat = ready && (ready.lastHeartbeatTime ?? "");
  const renewTime = lease?.spec?.renewTime ?? undefined;
  // Canonical times have one length, and are in the order of their texts.
  const isRenewed = renewTime !== undefined && (!before?.renewTime || before.renewTime < renewTime);
  if (before && !isRenewed && before.heartbeat === heartbeat) return before;
  // A node that never had a status counts from its creation.
  const isNew = before === undefined && ready === undefined && !isRenewed;
  const created = node.metadata?.creationTimestamp;
  const lastSeenMs = isNew && created ? (parseTimeMs(created) ?? nowMs) : nowMs;
  return { lastSeenMs, heartbeat, renewTime: renewTime ?? before?.renewTime };
}

export interface GracePeriods {
  /** For nodes with a Ready condition, in milliseconds. */
  readonly monitorMs: number;
  /** For nodes that have none yet. */
  readonly startupMs: number;
}

export type HealthPlan =
  /** Nothing is wrong until then. */
  | { readonly kind: "reachable"; readonly dueMs: number }
  /** The last heartbeat is too old. `conditions`: those that the node must get; undefined: it has them. */
  | { readonly kind: "unreachable"; readonly conditions: readonly DeepReadonly<NodeCondition>[] | undefined };

/** NetworkUnavailable is left alone: it is set by the control plane. */
const kubeletConditions = ["Ready", "MemoryPressure", "DiskPressure", "PIDPressure"] as const;

/** Pure: the health of a node that was last seen then. */
export function planHealth(
  node: CachedNode,
  { lastSeenMs, nowMs, now, grace }: { lastSeenMs: number; nowMs: number; now: string; grace: GracePeriods },
): HealthPlan {
  const dueMs = lastSeenMs + (conditionOf(node, "Ready") ? grace.monitorMs : grace.startupMs);
  if (nowMs <= dueMs) return { kind: "reachable", dueMs };
  const ready = conditionOf(node, "Ready");
  // The other conditions do not matter once this is known.
  if (ready?.status === "Unknown") return { kind: "unreachable", conditions: undefined };
  const conditions = [...(node.status?.conditions ?? [])];
  for (const type of kubeletConditions) {
    const at = conditions.findIndex((condition) => condition.type === type);
    const condition = conditions[at];
    if (!condition)
      conditions.push({
        type,
        status: "Unknown",
        lastHeartbeatTime: node.metadata?.creationTimestamp ?? now,
        lastTransitionTime: now,
        reason: "NodeStatusNeverUpdated",
        message: "Kubelet never posted node status.",
      });
    else if (condition.status !== "Unknown")
      conditions[at] = {
        ...condition,
        status: "Unknown",
        lastTransitionTime: now,
        reason: "NodeStatusUnknown",
        message: "Kubelet stopped posting node status.",
      };
  }
  return { kind: "unreachable", conditions };
}
