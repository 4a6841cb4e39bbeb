import type { NodeInfo } from "../cache/node-info.js";
import type { Victims } from "../extender/extender.js";
import type { NodeFilters } from "../framework/plugin.js";
import { type Status, unresolvable } from "../framework/status.js";
import type { PodInfo } from "../pod/pod-info.js";
import { type Budget, splitByBudgets } from "./disruption-budgets.js";
import { byImportance } from "./pod-importance.js";

export type VictimSearch =
  | { readonly kind: "victims"; readonly victims: Victims }
  | { readonly kind: "refused"; readonly status: Status };

export interface VictimSearchInput {
  readonly pod: PodInfo;
  /** As it is; the search works on a copy. */
  readonly node: NodeInfo;
  readonly filters: NodeFilters;
  readonly budgets: readonly Budget[];
  readonly now: number;
}

const noVictims = unresolvable("", "No preemption victims found for incoming pod");

/**
 * The pods that would have to go from a node for a pod to fit: all of lower priority, without those that can stay after all.
 * Pods that a disruption budget protects are tried first, then the others, the more important ones first.
 */
export function selectVictims({ pod, node: original, filters: shared, budgets, now }: VictimSearchInput): VictimSearch {
  const candidates = original.pods.filter(({ priority }) => priority < pod.priority);
  if (candidates.length === 0) return { kind: "refused", status: noVictims };
  const node = original.copy();
  const filters = shared.copy();
  const remove = (info: PodInfo): void => {
    node.removePod(info.uid);
    filters.removePod(info, node);
  };
  for (const candidate of candidates) remove(candidate);
  const refusal = filters.checkWithNominated(node);
  if (refusal) return { kind: "refused", status: refusal };
  const important = byImportance(now);
  candidates.sort((a, b) => important(a.pod, b.pod));
  const { violating, others } = splitByBudgets(candidates, budgets);
  const victims: PodInfo[] = [];
  const canStay = (info: PodInfo): boolean => {
    node.addPod(info);
    filters.addPod(info, node);
    if (filters.checkWithNominated(node) === undefined) return true;
    remove(info);
    victims.push(info);
    return false;
  };
  let budgetViolations = 0;
  for (const info of violating) if (!canStay(info)) budgetViolations++;
  for (const info of others) canStay(info);
  if (violating.length > 0 && others.length > 0) victims.sort((a, b) => important(a.pod, b.pod));
  return { kind: "victims", victims: { pods: victims.map((info) => info.pod), budgetViolations } };
}
