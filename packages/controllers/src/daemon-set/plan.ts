import type { DaemonSetStatus } from "@coxswain/api/apps/v1";
import { append } from "@coxswain/apimachinery/append";
import { compareUtf8 } from "@coxswain/apimachinery/text";
import { type CachedPod, isBeingDeleted, isPodAvailable, isPodReady, isPodTerminal } from "../pods/pod-state.js";
import { type CachedDaemonSet, type CachedNode, isUpdated, targetNode } from "./daemon-pod.js";
import { allowsSurge } from "./update-limits.js";

export interface DaemonSetState {
  readonly daemonSet: CachedDaemonSet;
  readonly nodes: readonly CachedNode[];
  /** By the node that they are on or are meant for. */
  readonly podsByNode: ReadonlyMap<string, readonly CachedPod[]>;
  readonly fits: (node: CachedNode) => { readonly shouldRun: boolean; readonly mayStay: boolean };
  /** The hash of the template. */
  readonly hash: string;
  /** In milliseconds. */
  readonly now: number;
}

/** Pods that were stopped and are being deleted count no more. */
export function byNode(pods: readonly CachedPod[]): Map<string, CachedPod[]> {
  const nodes = new Map<string, CachedPod[]>();
  for (const pod of pods) {
    const node = isPodTerminal(pod) && isBeingDeleted(pod) ? undefined : targetNode(pod);
    if (node !== undefined) nodes.set(node, [...(nodes.get(node) ?? []), pod]);
  }
  return nodes;
}

export interface NodesPlan {
  /** Nodes that get a pod. */
  readonly create: readonly string[];
  readonly remove: readonly CachedPod[];
  /** Of `remove`, those that ended by themselves. */
  readonly failed: readonly { readonly pod: CachedPod; readonly node: string }[];
  readonly succeeded: readonly { readonly pod: CachedPod; readonly node: string }[];
}

/** Pure: which nodes lack their pod and which pods are wrong where they are. `mayDelete`: whether a failed pod may go already. */
export function planNodes(state: DaemonSetState, mayDelete: (node: string) => boolean): NodesPlan {
  const create: string[] = [];
  const remove: CachedPod[] = [];
  const failed: { pod: CachedPod; node: string }[] = [];
  const succeeded: { pod: CachedPod; node: string }[] = [];
  for (const node of state.nodes) {
    const name = node.metadata?.name ?? "";
    const { shouldRun, mayStay } = state.fits(node);
    const pods = state.podsByNode.get(name);
    const present = (pods ?? []).filter((pod) => !isBeingDeleted(pod));
    if (shouldRun && !pods) create.push(name);
    else if (!mayStay) append(remove, present);
    else {
      const gone = present.filter((pod) => pod.status?.phase === "Failed" && mayDelete(name));
      const done = present.filter((pod) => pod.status?.phase === "Succeeded");
      append(
        failed,
        gone.map((pod) => ({ pod, node: name })),
      );
      append(
        succeeded,
        done.map((pod) => ({ pod, node: name })),
      );
      append(remove, [...gone, ...done]);
      const running = present.filter((pod) => !isPodTerminal(pod)).sort(byAge);
      if (allowsSurge(state.daemonSet) && running.length === 0 && shouldRun) create.push(name);
      else append(remove, surplus(state, running));
    }
  }
  append(remove, withoutNode(state));
  return { create, remove, failed, succeeded };
}

/** Those with a node first, then the oldest. */
function byAge(a: CachedPod, b: CachedPod): number {
  return (
    Number(Boolean(b.spec?.nodeName)) - Number(Boolean(a.spec?.nodeName)) ||
    compareUtf8(a.metadata?.creationTimestamp ?? "", b.metadata?.creationTimestamp ?? "") ||
    compareUtf8(a.metadata?.name ?? "", b.metadata?.name ?? "")
  );
}

/** All but the oldest; with surge, all but the oldest of the new template and the oldest of an old one until that is replaced. */
function surplus({ daemonSet, hash, now }: DaemonSetState, running: readonly CachedPod[]): readonly CachedPod[] {
  if (!allowsSurge(daemonSet)) return running.slice(1);
  if (running.length <= 1) return [];
  const isNew = ({ metadata }: CachedPod): boolean => metadata?.labels?.["controller-revision-hash"] === hash;
  const [newest, oldest] = [running.find(isNew), running.find((pod) => !isNew(pod))];
  const others = running.filter((pod) => pod !== newest && pod !== oldest);
  const isReplaced =
    newest !== undefined &&
    oldest !== undefined &&
    (!isPodReady(oldest) || isPodAvailable(newest, daemonSet.spec?.minReadySeconds ?? 0, now));
  return isReplaced ? [...others, oldest] : others;
}

/** Pods that wait for a node that is gone. */
function withoutNode({ nodes, podsByNode }: DaemonSetState): CachedPod[] {
  const names = new Set(nodes.map(({ metadata }) => metadata?.name));
  return [...podsByNode].flatMap(([node, pods]) => (names.has(node) ? [] : pods.filter(({ spec }) => !spec?.nodeName)));
}

/** Pure: what to write into the status, or undefined where it would not change. `isObserved`: whether this generation was acted upon. */
export function planStatus(state: DaemonSetState, isObserved: boolean): DaemonSetStatus | undefined {
  const { daemonSet, nodes, podsByNode, fits, hash, now } = state;
  const before = daemonSet.status;
  const minReadySeconds = daemonSet.spec?.minReadySeconds ?? 0;
  const onNode = nodes.map((node) => {
    const [pod] = [...(podsByNode.get(node.metadata?.name ?? "") ?? [])].sort(byAge);
    return { pod, shouldRun: fits(node).shouldRun };
  });
  const desired = onNode.filter(({ shouldRun }) => shouldRun);
  const count = (matches: (pod: CachedPod) => boolean): number =>
    desired.filter(({ pod }) => pod !== undefined && matches(pod)).length;
  const available = count((pod) => isPodAvailable(pod, minReadySeconds, now));
  const generation = daemonSet.metadata?.generation ?? 0;
  const counts = {
    currentNumberScheduled: count(() => true),
    numberMisscheduled: onNode.filter(({ pod, shouldRun }) => !shouldRun && pod !== undefined).length,
    desiredNumberScheduled: desired.length,
    numberReady: count(isPodReady),
    updatedNumberScheduled: count((pod) => isUpdated(daemonSet, hash, pod)),
    numberAvailable: available,
    numberUnavailable: desired.length - available,
  };
  const isSame = Object.entries(counts).every(
    ([member, value]) => (before?.[member as keyof typeof counts] ?? 0) === value,
  );
  if (isSame && (before?.observedGeneration ?? 0) >= generation) return undefined;
  const observedGeneration = isObserved ? generation : before?.observedGeneration;
  return {
    ...counts,
    ...(observedGeneration !== undefined && { observedGeneration }),
  };
}
