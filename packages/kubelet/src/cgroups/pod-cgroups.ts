import { qosClass } from "@coxswain/api/pods";
import type { Runtime } from "@coxswain/runtime";
import { requestsOf } from "../admission/pod-requests.js";
import { type CachedPod, uidOf } from "../objects/cached-pod.js";
import { sharesOf } from "../pod/cpu-shares.js";
import { CgroupError } from "./cgroup-layout.js";
import type { CgroupTree } from "./cgroup-tree.js";
import { type GroupResources, type PodLimits, podGroupResources } from "./group-resources.js";
import { planResize } from "./plan-resize.js";
import { unlimitedHugePages } from "./plan-writes.js";

/** Control groups of a node's pods: `/kubepods`, in it the QoS classes, in them the pods, in which the runtime makes containers'. */
export interface PodCgroups {
  /** Makes the groups above pods, limited to what the node has for pods. @throws CgroupError, in upstream's words */
  start(): Promise<void>;
  /** Makes the pod's group if it is not there. @returns its name, as CRI wants it */
  ensure(pod: CachedPod): Promise<string>;
  /** Before the pod's containers are given other resources its group grows; after that it shrinks. */
  resize(pod: CachedPod, order: "grow" | "shrink"): Promise<void>;
  /** Kills what is left in it. Gone already is no error. */
  remove(podUid: string): Promise<void>;
  /** Pods that have a group, also of kubelets before this one. */
  podUids(): Promise<readonly string[]>;
  /** Memory of all pods together. */
  workingSetBytes(): Promise<number>;
}

export interface PodCgroupsOptions {
  readonly tree: CgroupTree;
  readonly runtime: Runtime;
  /** `cgroupRoot` of the configuration. @default "/" */
  readonly cgroupRoot?: string;
  readonly limits: PodLimits;
  /** In bytes, of the machine. */
  readonly hugePageSizes: readonly number[];
  /** What the node has for pods: its capacity without what is reserved. */
  allocatable(): GroupResources;
}

const podPrefix = "pod";

export function createPodCgroups(options: PodCgroupsOptions): PodCgroups {
  const { tree, limits, hugePageSizes } = options;
  const root = `${options.cgroupRoot?.replace(/\/$/, "") ?? ""}/kubepods`;
  const classes = { Guaranteed: root, Burstable: `${root}/burstable`, BestEffort: `${root}/besteffort` };
  /** By pod of the class Burstable, what it requests, in thousandths of a processor. */
  const burstable = new Map<string, number>();
  const classOf = (pod: CachedPod): keyof typeof classes => qosClass(pod.spec ?? { containers: [] });
  const groupOf = (pod: CachedPod): string => `${classes[classOf(pod)]}/${podPrefix}${uidOf(pod)}`;
  const hugePages = unlimitedHugePages(hugePageSizes);

  /** The class weighs what its pods request together. */
  async function weighBurstable(change: () => void): Promise<void> {
    change();
    const requested = [...burstable.values()].reduce((sum, each) => sum + each, 0);
    await tree.apply(classes.Burstable, { cpuShares: sharesOf(requested) });
  }

  return {
    async start() {
      await tree.create(classes.Burstable);
      await tree.create(classes.BestEffort);
      await tree.apply(classes.Burstable, { cpuShares: sharesOf(0), hugePages });
      await tree.apply(classes.BestEffort, { cpuShares: sharesOf(0), hugePages });
      await tree.apply(root, options.allocatable()).catch((error: unknown) => {
        const message = `Failed to update Node Allocatable Limits ["kubepods"]: ${(error as Error).message}`;
        throw new CgroupError(message, { cause: error });
      });
    },
    async ensure(pod) {
      const group = groupOf(pod);
      if (!(await tree.exists(group))) {
        await tree.create(group);
        await tree.apply(group, podGroupResources(pod, limits));
      }
      const uid = uidOf(pod);
      if (classOf(pod) === "Burstable" && !burstable.has(uid))
        await weighBurstable(() => burstable.set(uid, requestsOf(pod).get("cpu") ?? 0));
      return group;
    },
    async resize(pod, order) {
      const group = groupOf(pod);
      if (!(await tree.exists(group))) return; // it is made with what the pod has then
      await tree.apply(group, planResize(await tree.limits(group), podGroupResources(pod, limits), order));
      const requested = requestsOf(pod).get("cpu") ?? 0;
      if (order === "shrink" && classOf(pod) === "Burstable" && burstable.get(uidOf(pod)) !== requested)
        await weighBurstable(() => burstable.set(uidOf(pod), requested));
    },
    async remove(podUid) {
      if (podUid === "" || podUid.includes("/")) throw new CgroupError(`${JSON.stringify(podUid)} is no pod's uid`);
      for (const parent of Object.values(classes)) await tree.remove(`${parent}/${podPrefix}${podUid}`);
      if (burstable.has(podUid)) await weighBurstable(() => burstable.delete(podUid));
    },
    async podUids() {
      const uids = new Set<string>();
      for (const parent of Object.values(classes))
        for (const name of await tree.children(parent))
          if (name.startsWith(podPrefix)) uids.add(name.slice(podPrefix.length));
      return [...uids];
    },
    workingSetBytes: () => tree.workingSetBytes(root),
  };
}
