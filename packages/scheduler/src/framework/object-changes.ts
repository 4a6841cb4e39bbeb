import { equalJson } from "@coxswain/apimachinery/json";
import type { Node, Pod } from "../pod/objects.js";
import { podRequests, scheduled } from "../pod/pod-requests.js";
import { actions, type ClusterEvent, clusterEvent } from "./cluster-event.js";

/** What of a pod's change may concern the scheduling of pods. */
export function podChanges(old: Pod, pod: Pod): readonly ClusterEvent[] {
  const resource = pod.spec?.nodeName ? "AssignedPod" : "UnschedulablePod";
  const changed: number[] = [];
  if (!equalJson(old.metadata?.labels ?? {}, pod.metadata?.labels ?? {})) changed.push(actions.updatePodLabel);
  if (scaledDown(old, pod)) changed.push(actions.updatePodScaleDown);
  if (count(old.spec?.schedulingGates) > 0 && count(pod.spec?.schedulingGates) === 0)
    changed.push(actions.updatePodSchedulingGatesEliminated);
  if (count(old.spec?.tolerations) !== count(pod.spec?.tolerations)) changed.push(actions.updatePodToleration);
  if (claimStatusesChanged(old, pod)) changed.push(actions.updatePodGeneratedResourceClaim);
  if (changed.length === 0) changed.push(actions.update);
  return changed.map((action) => clusterEvent(resource, action));
}

/** What of a node's change may concern the scheduling of pods. */
export function nodeChanges(old: Node, node: Node): readonly ClusterEvent[] {
  const changed = new Set<number>();
  if (old.spec?.unschedulable && !node.spec?.unschedulable) changed.add(actions.updateNodeTaint);
  if (!equalJson(old.status?.allocatable ?? {}, node.status?.allocatable ?? {}))
    changed.add(actions.updateNodeAllocatable);
  if (!equalJson(old.metadata?.labels ?? {}, node.metadata?.labels ?? {})) changed.add(actions.updateNodeLabel);
  if (!equalJson(old.spec?.taints ?? [], node.spec?.taints ?? [])) changed.add(actions.updateNodeTaint);
  if (!equalJson(conditionsOf(old), conditionsOf(node))) changed.add(actions.updateNodeCondition);
  if (!equalJson(old.metadata?.annotations ?? {}, node.metadata?.annotations ?? {}))
    changed.add(actions.updateNodeAnnotation);
  if (!equalJson(old.status?.declaredFeatures ?? [], node.status?.declaredFeatures ?? []))
    changed.add(actions.updateNodeDeclaredFeature);
  return [...changed].map((action) => clusterEvent("Node", action));
}

const count = (list: readonly unknown[] | undefined): number => list?.length ?? 0;

/** Types and their states; heartbeats change nothing. */
const conditionsOf = (node: Node): readonly string[] =>
  (node.status?.conditions ?? []).map(({ type, status }) => `${type}=${status}`).sort();

function scaledDown(old: Pod, pod: Pod): boolean {
  if (old.spec === pod.spec && old.status === pod.status) return false;
  const requests = podRequests(pod, scheduled);
  for (const [name, amount] of podRequests(old, scheduled)) if (amount > (requests.get(name) ?? -1)) return true;
  return false;
}

const claimStatusesChanged = (old: Pod, pod: Pod): boolean =>
  !equalJson(old.status?.resourceClaimStatuses ?? [], pod.status?.resourceClaimStatuses ?? []) ||
  !equalJson(old.status?.extendedResourceClaimStatus ?? {}, pod.status?.extendedResourceClaimStatus ?? {});
