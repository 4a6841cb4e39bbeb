import { createNodeStatuses, type NodeStatuses } from "./node-statuses.js";
import { isRejected, type Status } from "./status.js";

/** Why a pod found no node. */
export interface Diagnosis {
  readonly statuses: NodeStatuses;
  readonly unschedulablePlugins: Set<string>;
  readonly pendingPlugins: Set<string>;
  /** Why no node was tried at all. */
  preFilterMessage: string;
  /** What came of the attempt to make room. */
  postFilterMessage: string;
}

export const createDiagnosis = (): Diagnosis => ({
  statuses: createNodeStatuses(),
  unschedulablePlugins: new Set(),
  pendingPlugins: new Set(),
  preFilterMessage: "",
  postFilterMessage: "",
});

export function addPluginStatus(diagnosis: Diagnosis, status: Status): void {
  if (status.plugin === "") return;
  if (isRejected(status)) diagnosis.unschedulablePlugins.add(status.plugin);
  if (status.code === "Pending") diagnosis.pendingPlugins.add(status.plugin);
}

/** "0/3 nodes are available: 1 Insufficient cpu, 2 node(s) had untolerated taint(s). …" */
export function fitMessage(diagnosis: Diagnosis, nodeCount: number): string {
  let message = `0/${nodeCount} nodes are available:`;
  if (diagnosis.preFilterMessage !== "") message += ` ${diagnosis.preFilterMessage}.`;
  else {
    const reasons = countReasons(diagnosis.statuses, nodeCount);
    if (reasons.length > 0) message += ` ${reasons.join(", ")}.`;
  }
  if (diagnosis.postFilterMessage !== "") message += ` ${diagnosis.postFilterMessage}`;
  return message;
}

function countReasons(statuses: NodeStatuses, nodeCount: number): string[] {
  const counts = new Map<string, number>();
  const count = (status: Status, nodes: number): void => {
    for (const reason of status.reasons) counts.set(reason, (counts.get(reason) ?? 0) + nodes);
  };
  statuses.each((_, status) => count(status, 1));
  if (statuses.size < nodeCount) count(statuses.absent, nodeCount - statuses.size);
  // By code unit, as Go sorts: the texts are ASCII.
  return [...counts].map(([reason, nodes]) => `${nodes} ${reason}`).sort();
}
