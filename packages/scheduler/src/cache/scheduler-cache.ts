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

export const createSchedulerCache = (): SchedulerCache => new MapSchedulerCache();

class MapSchedulerCache implements SchedulerCache {
  readonly #nodes = new Map<string, NodeInfo>();
  readonly #pods = new Map<string, PlacedPod>();
  readonly #tree = createNodeTree();
  readonly #images = createImageStates();
  readonly #snapshot = new UpdatableSnapshot();
  /** Nodes that differ from the snapshot's. */
  readonly #changed = new Set<NodeInfo>();
  #listChanged = true;
  #assumedCount = 0;

  assume(pod: PodInfo, nodeName: string): void {
    this.#put(pod, { nodeName, assumed: true });
  }

  forget(uid: string): void {
    if (this.#pods.get(uid)?.assumed) this.removePod(uid);
  }

  isAssumed(uid: string): boolean {
    return this.#pods.get(uid)?.assumed === true;
  }

  nodeOf(uid: string): string | undefined {
    return this.#pods.get(uid)?.nodeName;
  }

  addPod(pod: Pod): void {
    this.removePod(uidOf(pod));
    this.#put(new PodInfo(pod), { nodeName: pod.spec?.nodeName ?? "", assumed: false });
  }

  updatePod(pod: Pod): void {
    this.addPod(pod);
  }

  removePod(uid: string): void {
    const place = this.#pods.get(uid);
    if (place === undefined) return;
    this.#pods.delete(uid);
    if (place.assumed) this.#assumedCount--;
    const info = this.#infoOf(place.nodeName);
    info.removePod(uid);
    if (info.node === undefined && info.pods.length === 0) this.#nodes.delete(place.nodeName);
  }

  addNode(node: Node): void {
    this.#tree.add(node);
    this.#setNode(node);
    this.#listChanged = true;
  }

  updateNode(old: Node, node: Node): void {
    if (zoneOf(old) !== zoneOf(node)) {
      this.#tree.remove(old);
      this.#listChanged = true;
    }
    if (this.#nodes.get(node.metadata?.name ?? "")?.node === undefined) this.#listChanged = true;
    this.#tree.add(node);
    this.#setNode(node);
  }

  removeNode(node: Node): void {
    const name = node.metadata?.name ?? "";
    const info = this.#nodes.get(name);
    if (info?.node === undefined) return;
    this.#tree.remove(info.node);
    this.#images.remove(info.node);
    info.removeNode();
    if (info.pods.length === 0) this.#nodes.delete(name);
    this.#listChanged = true;
  }

  snapshot(): UpdatableSnapshot {
    if (this.#listChanged) {
      const list: NodeInfo[] = [];
      for (const name of this.#tree.list()) {
        const info = this.#nodes.get(name);
        const known = this.#snapshot.get(name);
        if (info) list.push(known && known.generation === info.generation ? known : info.copy());
      }
      this.#snapshot.replaceAll(list);
      this.#listChanged = false;
    } else for (const info of this.#changed) if (info.node) this.#snapshot.replace(info.copy());
    this.#changed.clear();
    return this.#snapshot;
  }

  get nodeCount() {
    return this.#nodes.size;
  }

  get podCount() {
    return this.#pods.size;
  }

  get assumedCount() {
    return this.#assumedCount;
  }

  #infoOf(name: string): NodeInfo {
    let info = this.#nodes.get(name);
    if (info === undefined) {
      info = new NodeInfo();
      info.name = name;
      this.#nodes.set(name, info);
    }
    this.#changed.add(info);
    return info;
  }

  #put(pod: PodInfo, place: PlacedPod): void {
    this.#infoOf(place.nodeName).addPod(pod);
    this.#pods.set(pod.uid, place);
    if (place.assumed) this.#assumedCount++;
  }

  #setNode(node: Node): void {
    const info = this.#infoOf(node.metadata?.name ?? "");
    if (info.node) this.#images.remove(info.node);
    info.setNode(node, this.#images.add(node));
  }
}
