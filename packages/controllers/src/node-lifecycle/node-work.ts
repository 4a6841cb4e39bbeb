import type { Client } from "@coxswain/client";
import type { EventRecorder } from "@coxswain/client/events";
import type { ReadonlyIndexer } from "@coxswain/client/informers";
import type { Runtime } from "@coxswain/runtime";
import type { NamedCause } from "../controller/named-cause.js";
import type { CachedPod } from "../pods/pod-state.js";
import type { NodeMetrics } from "./metrics.js";
import { type CachedLease, type CachedNode, type NodeHealth, observe } from "./node-health.js";
import type { Zones } from "./zones.js";

export const leaseNamespace = "kube-node-lease";

/** What the four loops share: how to read and write, and what was seen of nodes. */
export interface NodeWork {
  readonly client: Client;
  /** Of the writes of one loop: four of them write nodes and pods. */
  readonly cause?: NamedCause;
  readonly runtime: Runtime;
  readonly recorder: EventRecorder;
  readonly metrics: NodeMetrics;
  readonly zones: Zones;
  readonly nodes: ReadonlyIndexer<CachedNode>;
  readonly pods: ReadonlyIndexer<CachedPod>;
  readonly leases: ReadonlyIndexer<CachedLease>;
  readonly grace: { readonly monitorMs: number; readonly startupMs: number };
  readonly healths: Map<string, NodeHealth>;
  /** UIDs by name. */
  readonly registered: Map<string, string>;
  /** Nodes of which not all pods could be marked. */
  readonly unmarked: Set<string>;
  wakeNode(name: string): void;
  wakeZone(zone: string): void;
}

export function observeHealth({ leases, healths, runtime: { clock } }: NodeWork, node: CachedNode): NodeHealth {
  const name = node.metadata?.name ?? "";
  const lease = leases.getByKey(`${leaseNamespace}/${name}`);
  const health = observe(healths.get(name), { node, lease, nowMs: clock.now() });
  healths.set(name, health);
  return health;
}

export const recordNode = (
  { recorder }: NodeWork,
  node: { name: string; uid: string },
  { reason, message }: { reason: string; message: string },
): void => recorder.event({ apiVersion: "v1", kind: "Node", ...node }, { type: "Normal", reason, message });
