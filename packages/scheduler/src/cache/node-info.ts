import { isHard } from "@coxswain/api/placement";
import { freePort, type UsedPorts, usePort } from "../pod/host-ports.js";
import type { Node, Taint } from "../pod/objects.js";
import type { PodInfo } from "../pod/pod-info.js";
import { addResource, amountsOf, copyResource, emptyResource, type Resource, resourceOf } from "../pod/resource.js";
import type { ImageState } from "./image-states.js";

const noTaints: readonly Taint[] = [];
let lastGeneration = 0;
const nextGeneration = (): number => ++lastGeneration;

/**
 * A node with the sums over its pods. The cache changes its own; those of a snapshot are copies that nobody changes, so what is
 * derived from one may be kept beside it (`derived`).
 */
export class NodeInfo {
  /** Undefined: pods are known of a node that is not. */
  node: Node | undefined;
  name = "";
  pods: PodInfo[] = [];
  podsWithAffinity: PodInfo[] = [];
  usedPorts: UsedPorts = new Map();
  requested: Resource = emptyResource();
  nonZero = { milliCpu: 0, memory: 0 };
  allocatable: Resource = emptyResource();
  /** By image name; shared with the cache, as the numbers of nodes are the cluster's. */
  images: ReadonlyMap<string, ImageState> = new Map();
  /** How many pods use a PersistentVolumeClaim, by namespace/name. */
  claimUses = new Map<string, number>();
  /** Cordoned. */
  isUnschedulable = false;
  /** Taints that keep pods away. */
  hardTaints: readonly Taint[] = noTaints;
  /** Taints that are a preference. */
  softTaints: readonly Taint[] = noTaints;
  declaredFeatures: ReadonlySet<string> = new Set();
  /** Grows with every change, over all nodes. */
  generation = nextGeneration();
  #derived: Map<string, number> | undefined;

  get labels(): Readonly<Record<string, string>> | undefined {
    return this.node?.metadata?.labels;
  }

  setNode(node: Node, images: ReadonlyMap<string, ImageState>): void {
    this.node = node;
    this.name = node.metadata?.name ?? "";
    this.allocatable = resourceOf(amountsOf(node.status?.allocatable));
    this.images = images;
    this.isUnschedulable = node.spec?.unschedulable === true;
    const taints = node.spec?.taints;
    this.hardTaints = taints?.some(isHard) ? taints.filter(isHard) : noTaints;
    this.softTaints = taints?.filter(({ effect }) => effect === "PreferNoSchedule") ?? noTaints;
    this.declaredFeatures = new Set(node.status?.declaredFeatures);
    this.#changed();
  }

  removeNode(): void {
    this.node = undefined;
    this.#changed();
  }

  addPod(pod: PodInfo): void {
    this.pods.push(pod);
    if (pod.hasPodAffinity) this.podsWithAffinity.push(pod);
    addResource(this.requested, pod.requests, 1);
    this.nonZero.milliCpu += pod.nonZero.milliCpu;
    this.nonZero.memory += pod.nonZero.memory;
    for (const port of pod.hostPorts) usePort(this.usedPorts, port);
    for (const key of pod.claimKeys) this.claimUses.set(key, (this.claimUses.get(key) ?? 0) + 1);
    this.#changed();
  }

  /** By uid. Answers whether the pod was there. */
  removePod(uid: string): boolean {
    const pod = takeByUid(this.pods, uid);
    if (pod === undefined) return false;
    if (pod.hasPodAffinity) takeByUid(this.podsWithAffinity, uid);
    addResource(this.requested, pod.requests, -1);
    this.nonZero.milliCpu -= pod.nonZero.milliCpu;
    this.nonZero.memory -= pod.nonZero.memory;
    for (const port of pod.hostPorts) freePort(this.usedPorts, port);
    for (const key of pod.claimKeys) {
      const uses = (this.claimUses.get(key) ?? 0) - 1;
      if (uses > 0) this.claimUses.set(key, uses);
      else this.claimUses.delete(key);
    }
    this.#changed();
    return true;
  }

  /** A number that depends on this node info only, computed once for each name. */
  derived(name: string, compute: (info: NodeInfo) => number): number {
    this.#derived ??= new Map();
    let value = this.#derived.get(name);
    if (value === undefined) {
      value = compute(this);
      this.#derived.set(name, value);
    }
    return value;
  }

  copy(): NodeInfo {
    const copy = new NodeInfo();
    copy.node = this.node;
    copy.name = this.name;
    copy.pods = this.pods.slice();
    copy.podsWithAffinity = this.podsWithAffinity.slice();
    for (const [ip, ports] of this.usedPorts) copy.usedPorts.set(ip, new Set(ports));
    copy.requested = copyResource(this.requested);
    copy.nonZero = { milliCpu: this.nonZero.milliCpu, memory: this.nonZero.memory };
    copy.allocatable = this.allocatable;
    copy.images = this.images;
    if (this.claimUses.size > 0) copy.claimUses = new Map(this.claimUses);
    copy.isUnschedulable = this.isUnschedulable;
    copy.hardTaints = this.hardTaints;
    copy.softTaints = this.softTaints;
    copy.declaredFeatures = this.declaredFeatures;
    copy.generation = this.generation;
    return copy;
  }

  #changed(): void {
    this.generation = nextGeneration();
    this.#derived = undefined;
  }
}

/** The last pod takes the place of the one that goes, as upstream (pkg/scheduler/framework/types.go, removeFromSlice): the order of pods decides between equal victims. */
function takeByUid(pods: PodInfo[], uid: string): PodInfo | undefined {
  const at = pods.findIndex((pod) => pod.uid === uid);
  if (at < 0) return undefined;
  const taken = pods[at];
  const last = pods.pop();
  if (at < pods.length && last) pods[at] = last;
  return taken;
}
