import { ignoreGone } from "../controller/ignore-gone.js";
import type { NodeWork } from "./node-work.js";
import { planLabels, planNoSchedule } from "./plan.js";
import { writeTaints } from "./write-taints.js";

/** Labels, and taints that keep new pods away. */
export async function reconcileNode(work: NodeWork, name: string): Promise<void> {
  const node = work.nodes.getByKey(name);
  if (!node) return;
  await writeTaints(work, node, planNoSchedule(node));
  const labels = planLabels(node);
  if (labels)
    await work.client.core.v1
      .nodes()
      .patch(name, { merge: { metadata: { labels } } }, work.cause)
      .catch(ignoreGone);
}
