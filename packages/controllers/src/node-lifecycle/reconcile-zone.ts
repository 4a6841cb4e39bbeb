import { isNotFound } from "@coxswain/apimachinery/status";
import type { WorkResult } from "@coxswain/client/queue";
import { readyStatusOf } from "./node-health.js";
import type { NodeWork } from "./node-work.js";
import { noExecuteTaints } from "./plan.js";
import { writeTaints } from "./write-taints.js";

/** Taints the nodes that wait for it, at the rate of their zone. */
export async function reconcileZone(work: NodeWork, zone: string): Promise<WorkResult> {
  const { client, metrics, zones } = work;
  const { clock } = work.runtime;
  const next = zones.queueOf(zone).take(clock.now());
  if (!next) return;
  if ("waitMs" in next) return { requeueAfterMs: next.waitMs };
  try {
    // The cache may not have seen yet that the node is not ready, and its turn would be lost.
    const node = await client.core.v1.nodes().get(next.node);
    const status = readyStatusOf(node);
    if (status !== undefined && status !== "True") {
      const { add, remove } = noExecuteTaints(status);
      await writeTaints(work, node, { add: [add], remove: [remove] });
      metrics.evicted(zone);
    }
  } catch (error) {
    if (isNotFound(error)) return { requeueAfterMs: 0 };
    zones.queueOf(zone).add(next.node);
    throw error;
  }
  return { requeueAfterMs: 0 };
}
