import { amountOf, qosClass } from "@coxswain/api/pods";
import { smallest } from "@coxswain/apimachinery/append";
import { getOwn } from "@coxswain/apimachinery/own";
import {
  type CachedContainer,
  type CachedPod,
  containersOf,
  initContainersOf,
  isSidecar,
} from "../objects/cached-pod.js";

const [guaranteed, bestEffort] = [-997, 1000];
/** The priority class of what a node cannot do without. */
const nodeCritical = "system-node-critical";

/**
 * Pure: which containers the kernel kills first when the node's memory is used up: those that ask for little.
 * Upstream's `pkg/kubelet/qos/policy.go`, `GetContainerOOMScoreAdjust`.
 */
export function oomScore(pod: CachedPod, container: CachedContainer, memoryBytes: number): number {
  if (pod.spec?.priorityClassName === nodeCritical) return guaranteed;
  const qos = pod.status?.qosClass ?? qosClass(pod.spec ?? { containers: [] });
  if (qos === "Guaranteed") return guaranteed;
  if (qos === "BestEffort") return bestEffort;
  const spare = unassignedRequest(pod);
  const scoreOf = (request: number): number => 1000 - Math.trunc((1000 * (request + spare)) / memoryBytes);
  let score = scoreOf(memoryRequest(container));
  const isOfPod = initContainersOf(pod).some(({ name }) => name === container.name);
  if (isOfPod && isSidecar(container)) score = Math.min(score, scoreOf(smallest(containersOf(pod).map(memoryRequest))));
  if (score < 1000 + guaranteed) return 1000 + guaranteed;
  return score === bestEffort ? score - 1 : score;
}

const memoryRequest = ({ resources }: CachedContainer): number => bytesOf(getOwn(resources?.requests, "memory"));

const bytesOf = (quantity: string | undefined): number => (quantity === undefined ? 0 : amountOf("memory", quantity));

/** What the pod asks for beyond its containers, for each of them. */
function unassignedRequest(pod: CachedPod): number {
  const whole = getOwn(pod.spec?.resources?.requests, "memory");
  if (whole === undefined) return 0;
  const all = [...containersOf(pod), ...initContainersOf(pod).filter(isSidecar)];
  const assigned = all.reduce((sum, container) => sum + memoryRequest(container), 0);
  const spare = bytesOf(whole) - assigned;
  return spare > 0 && all.length > 0 ? Math.trunc(spare / all.length) : 0;
}
