import type { NodeInfo } from "../cache/node-info.js";
import type { NodeStatuses } from "../framework/node-statuses.js";
import { errorStatus, type Status, unresolvable, unschedulable } from "../framework/status.js";
import type { Pod } from "../pod/objects.js";
import type { Extender } from "./extender.js";

/** One after the other, each on what the one before left. */
export async function filterByExtenders(
  extenders: readonly Extender[],
  pod: Pod,
  nodes: readonly NodeInfo[],
  statuses: NodeStatuses,
): Promise<{ readonly nodes: readonly NodeInfo[]; readonly failure?: Status }> {
  let left = nodes;
  for (const extender of extenders) {
    if (left.length === 0) break;
    if (!extender.isInterested(pod)) continue;
    try {
      const result = await extender.filter(pod, left);
      for (const [node, reason] of result.unresolvable) statuses.set(node, unresolvable("", reason));
      for (const [node, reason] of result.failed)
        if (!result.unresolvable.has(node)) statuses.set(node, unschedulable("", reason));
      left = result.nodes;
    } catch (error) {
      if (!extender.ignorable) return { nodes: [], failure: errorStatus("", error) };
    }
  }
  return { nodes: left };
}

/** Adds what the extenders make of the nodes to their scores. One that fails is ignored. */
export async function addExtenderScores(
  extenders: readonly Extender[],
  pod: Pod,
  nodes: readonly NodeInfo[],
  totals: Float64Array,
): Promise<void> {
  const interested = extenders.filter((extender) => extender.isInterested(pod));
  const answers = await Promise.allSettled(interested.map((extender) => extender.prioritize(pod, nodes)));
  for (const answer of answers) {
    if (answer.status === "rejected") continue;
    for (const [at, node] of nodes.entries()) totals[at]! += answer.value.get(node.name) ?? 0;
  }
}

/** Answers false where no extender binds this pod. @throws the error of one that must not be ignored */
export async function bindByExtender(extenders: readonly Extender[], pod: Pod, nodeName: string): Promise<boolean> {
  for (const extender of extenders) {
    if (!extender.binds || !extender.isInterested(pod)) continue;
    try {
      await extender.bind({ pod, nodeName });
      return true;
    } catch (error) {
      if (!extender.ignorable) throw error;
    }
  }
  return false;
}
