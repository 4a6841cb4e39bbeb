import { objectKey, type Pod } from "../pod/objects.js";
import type { PodInfo } from "../pod/pod-info.js";

/** The result of a scheduling attempt for the node that a pod is nominated for; undefined: leave it as it is. */
export type Nomination = { readonly nodeName: string } | undefined;

/** Pods for which preemption has made room on a node, while they wait for it. */
export interface Nominator {
  add(pod: PodInfo, nomination: Nomination): void;
  update(old: Pod, pod: PodInfo): void;
  delete(uid: string): void;
  /** namespace/name of the pods nominated for a node. */
  keysOn(nodeName: string): readonly string[];
  readonly size: number;
}

export interface NominatorOptions {
  /** The pod as the cache of pods has it. */
  currentPod(key: string): Pod | undefined;
}

const none: readonly string[] = [];

export function createNominator({ currentPod }: NominatorOptions): Nominator {
  const nodes = new Map<string, Map<string, string>>();
  const nodeOf = new Map<string, string>();

  function remove(uid: string): void {
    const nodeName = nodeOf.get(uid);
    if (nodeName === undefined) return;
    nodeOf.delete(uid);
    const pods = nodes.get(nodeName);
    pods?.delete(uid);
    if (pods?.size === 0) nodes.delete(nodeName);
  }

  function add(info: PodInfo, nomination: Nomination): void {
    remove(info.uid);
    const nodeName = nomination ? nomination.nodeName : (info.pod.status?.nominatedNodeName ?? "");
    if (nodeName === "") return;
    const key = objectKey(info.pod);
    const current = currentPod(key);
    if (current === undefined || current.spec?.nodeName) return;
    nodeOf.set(info.uid, nodeName);
    const pods = nodes.get(nodeName) ?? new Map<string, string>();
    nodes.set(nodeName, pods.set(info.uid, key));
  }

  return {
    add,
    update(old, info) {
      // A nomination that was not written to the pod yet outlives changes of the pod.
      const uid = old.metadata?.uid ?? "";
      const kept = old.status?.nominatedNodeName || info.pod.status?.nominatedNodeName ? undefined : nodeOf.get(uid);
      remove(uid);
      add(info, kept === undefined ? undefined : { nodeName: kept });
    },
    delete: remove,
    keysOn: (nodeName) => (nodes.size === 0 ? none : [...(nodes.get(nodeName)?.values() ?? none)]),
    get size() {
      return nodeOf.size;
    },
  };
}
