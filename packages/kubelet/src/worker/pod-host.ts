import type { CachedPod } from "../objects/cached-pod.js";
import type { Allocation } from "../pod/resize.js";
import type { FileSource, IdRange } from "../runtime/container-runtime.js";
import type { SubPathRequest } from "../volumes/node-volumes.js";

/** What pods have on their node besides sandboxes and containers: volumes, control groups, directories. */
export interface PodHost {
  /** Brings the pod's volumes to what is wanted now; called at every sync. By volume name. @throws VolumesError */
  mount(pod: CachedPod, signal: AbortSignal): Promise<ReadonlyMap<string, FileSource>>;
  /** The bind mount of one part of a volume on the node's disk, for one container. @throws ConfigError, MountError */
  mountSubPath(request: SubPathRequest): Promise<string>;
  /** The control group that the pod's containers are put into, as the runtime names it; it is there afterwards. */
  ensureGroup(pod: CachedPod): Promise<string>;
  /** Before the pod's containers are given other resources its group grows; after that it shrinks. */
  resizeGroup(pod: CachedPod, order: "grow" | "shrink"): Promise<void>;
  /** What the pod was given, and what its containers have of it, where an earlier kubelet wrote that down. */
  allocation(podUid: string): { readonly allocated?: Allocation; readonly actuated?: Allocation };
  /** Writes down what the pod is given, before that is carried out. */
  allocate(podUid: string, allocation: Allocation): Promise<void>;
  /** Writes down what its containers have. */
  actuate(podUid: string, allocation: Allocation): Promise<void>;
  /** Whether the runtime makes mounts below a read-only mount read-only, too. */
  readonly hasRecursiveReadOnly: boolean;
  /** What runs the pod's containers, by its RuntimeClass; empty: the runtime's default. @throws RuntimeError */
  runtimeHandler(pod: CachedPod): Promise<string>;
  /** The pod's own users, where it asks for some (`hostUsers: false`); the same at each call. @throws RuntimeError */
  userNamespace(pod: CachedPod, runtimeHandler: string): Promise<IdRange | undefined>;
  /** Unmounts its volumes and removes its control group, once nothing of the pod runs; the pod may be deleted afterwards. */
  release(podUid: string): Promise<void>;
  /** Removes logs and directories of a pod that is deleted. */
  discard(podUid: string): Promise<void>;
}
