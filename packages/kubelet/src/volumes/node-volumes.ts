import type { CachedPod } from "../objects/cached-pod.js";
import type { DriverVolumeStats } from "../runtime/usage-stats.js";
import type { DiskUsage } from "./disk-usage.js";
import type { MountedVolume } from "./volume-plugin.js";

/** The volumes of the pods of one real node. */
export interface NodeVolumes {
  /**
   * Brings the pod's volumes to what its spec and its referenced objects want now; called at every sync, it leaves alone what is right.
   * A volume that was mounted before and cannot be brought up to date keeps its files, with an event. By volume name.
   * @throws VolumesError where volumes are not there yet
   */
  mount(pod: CachedPod, signal: AbortSignal): Promise<ReadonlyMap<string, MountedVolume>>;
  /** The bind mount of one sub-path for one container; safe against swapped links. @throws ConfigError */
  mountSubPath(request: SubPathRequest): Promise<string>;
  /** Nothing of the pod's volumes is left on the node afterwards, also what an earlier kubelet put there. Idempotent. @throws MountError: to be tried again */
  unmount(podUid: string): Promise<void>;
  /** The same, and what else is kept of a pod that is deleted: termination messages, the hosts file, its directory. Idempotent. @throws MountError */
  discard(podUid: string): Promise<void>;
  /** Has drivers take back what is staged and no pod has. */
  sweep(onProblem: (error: unknown) => void): Promise<void>;
  /** Pods that have something on disk. */
  podUids(): Promise<readonly string[]>;
  /** What the pod's own volumes use, at most a minute ago. */
  usage(podUid: string): Promise<readonly VolumeUsage[]>;
  /** What the drivers of its other volumes report, likewise. */
  driverUsage(podUid: string): Promise<readonly DriverVolumeStats[]>;
}

export interface SubPathRequest {
  readonly pod: CachedPod;
  readonly container: string;
  /** The place of the mount in the container's `volumeMounts`. */
  readonly index: number;
  /** The volume's name. */
  readonly volume: string;
  /** Where the volume is, as `mount` returned it. */
  readonly path: string;
  /** With variables expanded. */
  readonly subPath: string;
}

export interface VolumeUsage extends DiskUsage {
  readonly name: string;
  /** In memory, and so no use of the disk. */
  readonly isInMemory: boolean;
}
