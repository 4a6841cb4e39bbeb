import type { DeepReadonly } from "@coxswain/api";
import { age } from "../../definition/age.js";
import { ageColumn, type ColumnSet, column, nameColumn } from "../../definition/columns.js";
import { podCondition } from "./condition.js";
import type { StoredPod } from "./stored.js";
import { summarizePod } from "./summary.js";

const none = "<none>";

export const podColumns: ColumnSet<StoredPod> = {
  columns: [
    nameColumn,
    column("Ready", "string", "How many of the pod's containers are ready."),
    column("Status", "string", "What the pod is doing, or why it does not."),
    column("Restarts", "string", "How often its containers were restarted, and when last."),
    ageColumn,
    column("IP", "string", "The pod's first address.", 1),
    column("Node", "string", "The node it was assigned to.", 1),
    column("Nominated Node", "string", "The node on which room is being made for it.", 1),
    column("Readiness Gates", "string", "How many of its readiness gates are open.", 1),
  ],
  cells(pod, now) {
    const { metadata, spec, status } = pod;
    const summary = summarizePod(pod);
    const restarts =
      summary.restarts > 0 && summary.lastRestart
        ? `${summary.restarts} (${age(summary.lastRestart, now)} ago)`
        : String(summary.restarts);
    return [
      metadata.name ?? "",
      `${summary.ready}/${summary.total}`,
      summary.reason,
      restarts,
      age(metadata.creationTimestamp, now),
      status.podIPs?.[0]?.ip || none,
      spec.nodeName || none,
      status.nominatedNodeName || none,
      readinessGates(pod),
    ];
  },
  conditions({ status }) {
    if (status.phase === "Succeeded")
      return [
        { type: "Completed", status: "True", reason: "Succeeded", message: "The pod has completed successfully." },
      ];
    if (status.phase === "Failed")
      return [{ type: "Completed", status: "True", reason: "Failed", message: "The pod failed." }];
    return [];
  },
};

function readinessGates(pod: DeepReadonly<StoredPod>): string {
  const gates = pod.spec.readinessGates ?? [];
  if (gates.length === 0) return none;
  const open = gates.filter(({ conditionType }) => podCondition(pod, conditionType)?.status === "True").length;
  return `${open}/${gates.length}`;
}
