import { type Node, type Pod, uidOf } from "../pod/objects.js";
import { PodInfo } from "../pod/pod-info.js";
import { createImageStates } from "./image-states.js";
import { NodeInfo } from "./node-info.js";
import { createNodeTree, zoneOf } from "./node-tree.js";
import { UpdatableSnapshot } from "./snapshot.js";

/**
 * Nodes and the pods on them. A pod that was given a node is *assumed* to be there from then on; the server's word replaces the
 * assumption, or a failed binding takes it back.
 */
export interface SchedulerCache {
  assume(pod: PodInfo, nodeName: string): void;
  /** Takes an assumption back. Does nothing for a pod that the server has confirmed or that is gone. */
  forget(uid: string): void;
  isAssumed(uid: string): boolean;
  /** Where the pod is, or is assumed to be. */
  nodeOf(uid: string): string | undefined;
  /** An assigned pod, as the server has it. */
  addPod(pod: Pod): void;
  updatePod(pod: Pod): void;
  removePod(uid: string): void;
  addNode(node: Node): void;
  updateNode(old: Node, node: Node): void;
  removeNode(node: Node): void;
  /** The cache as it is now. Always the same snapshot, brought up to date. */
  snapshot(): UpdatableSnapshot;
  readonly nodeCount: number;
  readonly podCount: number;
  readonly assumedCount: number;
}

interface PlacedPod {
  readonly nodeName: string;
  readonly assumed: boolean;
}

export function createSchedulerCache(): SchedulerCache {
  const nodes = new Map<string, NodeInfo>();
  const pods = new Map<string, PlacedPod>();
  const tree = createNodeTree();
  const images = createImageStates();
  const snapshot = new UpdatableSnapshot();
  /** Nodes that differ from the snapshot's. */
  const changed = new Set<NodeInfo>();
  let listChanged = true;
  let assumedCount = 0;

  function infoOf(name: string): NodeInfo {
    let info = nodes.get(name);
    if (info === undefined) {
      info = new NodeInfo();
      info.name = name;
      nodes.set(name, info);
    }
    changed.add(info);
    return info;
  }

  function put(pod: PodInfo, place: PlacedPod): void {
    infoOf(place.nodeName).addPod(pod);
    pods.set(pod.uid, place);
    if (place.assumed) assumedCount++;
  }

  function take(uid: string): void {
    const place = pods.get(uid);
    if (place === undefined) return;
    pods.delete(uid);
    if (place.assumed) assumedCount--;
    const info = infoOf(place.nodeName);
    info.removePod(uid);
    if (info.node === undefined && info.pods.length === 0) nodes.delete(place.nodeName);
  }

  const confirm = (pod: Pod): void => {
    take(uidOf(pod));
    put(new PodInfo(pod), { nodeName: pod.spec?.nodeName ?? "", assumed: false });
  };

  function setNode(node: Node): void {
    const info = infoOf(node.metadata?.name ?? "");
    if (info.node) images.remove(info.node);
    info.setNode(node, images.add(node));
  }

  return {
    assume: (pod, nodeName) => put(pod, { nodeName, assumed: true }),
    forget(uid) {
      if (pods.get(uid)?.assumed) take(uid);
    },
    isAssumed: (uid) => pods.get(uid)?.assumed === true,
    nodeOf: (uid) => pods.get(uid)?.nodeName,
    addPod: confirm,
    updatePod: confirm,
    removePod: take,
    addNode(node) {
      tree.add(node);
      setNode(node);
      listChanged = true;
    },
    updateNode(old, node) {
      if (zoneOf(old) !== zoneOf(node)) {
        tree.remove(old);
        listChanged = true;
      }
      if (nodes.get(node.metadata?.name ?? "")?.node === undefined) listChanged = true;
      tree.add(node);
      setNode(node);
    },
    removeNode(node) {
      const name = node.metadata?.name ?? "";
      const info = nodes.get(name);
      if (info?.node === undefined) return;
      tree.remove(info.node);
      images.remove(info.node);
      info.removeNode();
      if (info.pods.length === 0) nodes.delete(name);
      listChanged = true;
    },
    snapshot() {
      if (listChanged) {
        const list: NodeInfo[] = [];
        for (const name of tree.list()) {
          const info = nodes.get(name);
          const known = snapshot.get(name);
          if (info) list.push(known && known.generation === info.generation ? known : info.copy());
        }
        snapshot.replaceAll(list);
        listChanged = false;
      } else for (const info of changed) if (info.node) snapshot.replace(info.copy());
      changed.clear();
      return snapshot;
    },
    get nodeCount() {
      return nodes.size;
    },
    get podCount() {
      return pods.size;
    },
    get assumedCount() {
      return assumedCount;
    },
  };
}
