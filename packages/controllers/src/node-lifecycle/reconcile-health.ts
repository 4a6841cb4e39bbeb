import type { DeepReadonly } from "@coxswain/api";
import type { Node, NodeCondition } from "@coxswain/api/core/v1";
import { formatTime } from "@coxswain/apimachinery/time";
import type { WorkResult } from "@coxswain/client/queue";
import { nodeIndex } from "../nodes/pods-by-node.js";
import { type DisruptionPlan, zoneOf } from "./disruption.js";
import { markNotReady } from "./mark-pods.js";
import { type CachedNode, planHealth, readyStatusOf } from "./node-health.js";
import { type NodeWork, observeHealth, recordNode } from "./node-work.js";
import { notReady, planNoExecute, unreachable } from "./plan.js";
import { writeTaints } from "./write-taints.js";

/** Looks whether a node has fallen silent, and what follows from it for its conditions, its taints and its pods. */
export async function reconcileHealth(work: NodeWork, name: string): Promise<WorkResult> {
  const { zones, registered, unmarked } = work;
  const { clock } = work.runtime;
  const node = work.nodes.getByKey(name);
  if (!node) return forget(work, name);
  const began = clock.monotonic();
  const uid = node.metadata?.uid ?? "";
  if (!registered.has(name)) await register(work, node);
  const { lastSeenMs } = observeHealth(work, node);
  const nowMs = clock.now();
  const plan = planHealth(node, { lastSeenMs, nowMs, now: formatTime(nowMs), grace: work.grace });
  const current =
    plan.kind === "unreachable" && plan.conditions ? await writeConditions(work, node, plan.conditions) : node;
  const isReady = readyStatusOf(current) === "True";
  // Noted first: a try after a failure below finds the node as it has become.
  if (!isReady && readyStatusOf(node) === "True") {
    recordNode(work, { name, uid }, { reason: "NodeNotReady", message: `Node ${name} status is now: NodeNotReady` });
    unmarked.add(name);
  }
  await handleDisruption(work, zones.count(current, nowMs));
  await taint(work, current);
  if (!isReady && unmarked.has(name)) {
    // An error leaves the rest for the next try.
    for (const pod of work.pods.byIndex(nodeIndex, name)) await markNotReady(work, pod);
  }
  unmarked.delete(name);
  work.metrics.updated((clock.monotonic() - began) / 1000);
  if (plan.kind === "reachable") return { requeueAfterMs: plan.dueMs - nowMs + 1 };
}

async function register(work: NodeWork, node: CachedNode): Promise<void> {
  const { name = "", uid = "" } = node.metadata ?? {};
  work.registered.set(name, uid);
  const message = `Node ${name} event: Registered Node ${name} in Controller`;
  recordNode(work, { name, uid }, { reason: "RegisteredNode", message });
  if (readyStatusOf(node) === "True") return;
  // The process before this one may have been killed after the node's condition and before its pods.
  work.unmarked.add(name);
  await writeTaints(work, node, { add: [], remove: [unreachable, notReady] });
}

async function forget(work: NodeWork, name: string): Promise<void> {
  const { registered, healths, unmarked, zones } = work;
  const uid = registered.get(name);
  healths.delete(name);
  unmarked.delete(name);
  registered.delete(name);
  if (uid !== undefined)
    recordNode(
      work,
      { name, uid },
      { reason: "RemovingNode", message: `Node ${name} event: Removing Node ${name} from Controller` },
    );
  await handleDisruption(work, zones.discount(name, work.runtime.clock.now()));
}

async function writeConditions(
  { client, cause }: NodeWork,
  node: CachedNode,
  conditions: readonly DeepReadonly<NodeCondition>[],
): Promise<CachedNode> {
  const status = { ...(node as Node).status, conditions: conditions as NodeCondition[] };
  return client.core.v1.nodes().updateStatus({ ...(node as Node), status }, cause);
}

async function handleDisruption(work: NodeWork, { rates, everywhere }: DisruptionPlan): Promise<void> {
  const { clock, log } = work.runtime;
  for (const [zone, rate] of rates) if (rate > 0) work.wakeZone(zone);
  if (everywhere === "enter") {
    log.info("no node is ready: pods are not made to leave");
    for (const node of work.nodes.list()) await reach(work, node);
  } else if (everywhere === "leave") {
    log.info("some nodes are ready again: pods of others may be made to leave");
    for (const [name, health] of work.healths) {
      work.healths.set(name, { ...health, lastSeenMs: clock.now() });
      work.wakeNode(name);
    }
  }
}

/** Nothing makes the node's pods leave. */
async function reach(work: NodeWork, node: CachedNode): Promise<void> {
  work.zones.queueOf(zoneOf(node)).remove(node.metadata?.name ?? "");
  await writeTaints(work, node, { add: [], remove: [unreachable, notReady] });
}

async function taint(work: NodeWork, node: CachedNode): Promise<void> {
  const plan = planNoExecute(node);
  if (plan.kind === "reachable") return reach(work, node);
  if (plan.kind === "swap") return writeTaints(work, node, plan);
  if (plan.kind !== "queue") return;
  const zone = zoneOf(node);
  work.zones.queueOf(zone).add(node.metadata?.name ?? "");
  work.wakeZone(zone);
}
