import type { Scheduler } from "@coxswain/runtime/scheduler";
import type { NodeInfo } from "../cache/node-info.js";
import type { Victims } from "../extender/extender.js";
import { createNodeStatuses, type NodeStatuses } from "../framework/node-statuses.js";
import type { NodeFilters } from "../framework/plugin.js";
import { errorStatus, type Status } from "../framework/status.js";
import type { PodInfo } from "../pod/pod-info.js";
import type { Budget } from "./disruption-budgets.js";
import { selectVictims } from "./select-victims.js";

export interface Candidates {
  /** Victims by node. */
  readonly victims: ReadonlyMap<string, Victims>;
  /** Why the others are none. */
  readonly statuses: NodeStatuses;
  readonly failure?: Status;
}

export interface FindCandidatesInput {
  readonly pod: PodInfo;
  /** Nodes on which removing pods may help. */
  readonly nodes: readonly NodeInfo[];
  readonly filters: NodeFilters;
  readonly budgets: readonly Budget[];
  /** Where to begin. */
  readonly offset: number;
  /** How many candidates are enough. */
  readonly wanted: number;
  readonly now: number;
  readonly scheduler: Scheduler;
}

/** What finding the victims of a node costs, and for each pod on it filtering the node once more. */
const microsPerNode = 50;
const microsPerPod = 5;

/** Tries nodes until there are enough candidates, at least one of them without violating a disruption budget. */
export async function findCandidates(input: FindCandidatesInput): Promise<Candidates> {
  const { nodes, offset, wanted, scheduler } = input;
  const keeping = new Map<string, Victims>();
  const violating = new Map<string, Victims>();
  const statuses = createNodeStatuses();
  let failure: Status | undefined;
  for (let at = 0; at < nodes.length; at++) {
    const node = nodes[(offset + at) % nodes.length] as NodeInfo;
    const found = selectVictims({ ...input, node });
    if (found.kind === "victims" && found.victims.pods.length > 0) {
      (found.victims.budgetViolations === 0 ? keeping : violating).set(node.name, found.victims);
      if (keeping.size > 0 && keeping.size + violating.size >= wanted) break;
    } else {
      const status =
        found.kind === "refused"
          ? found.status
          : errorStatus("", new Error(`expected at least one victim pod on node "${node.name}"`));
      if (status.code === "Error") failure ??= status;
      statuses.set(node.name, status);
    }
    const pause = scheduler.yield(microsPerNode + microsPerPod * node.pods.length);
    if (pause) await pause;
  }
  return { victims: new Map([...keeping, ...violating]), statuses, ...(failure && { failure }) };
}

/** Upstream's (pkg/scheduler/framework/plugins/defaultpreemption/default_preemption.go, calculateNumCandidates): a share of the nodes, but not fewer than a number of them. */
export function candidatesWanted(
  nodeCount: number,
  { percentage, absolute }: { readonly percentage: number; readonly absolute: number },
): number {
  return Math.min(Math.max(Math.trunc((nodeCount * percentage) / 100), absolute), nodeCount);
}
