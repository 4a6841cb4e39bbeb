export interface ContainerStats {
  readonly name: string;
  readonly cpuNanoCores: number;
  readonly cpuNanoCoreSeconds: number;
  /** The working set: what cannot be taken back without a cost. */
  readonly memoryBytes: number;
  /** Where the runtime counts it. @default all of it is the working set */
  readonly memory?: MemoryStats;
  /** Its own files and its logs. */
  readonly storageBytes: number;
  readonly inodes: number;
  /** Of both, what its logs are, with those that were rotated. @default none */
  readonly logs?: { readonly usedBytes: number; readonly inodes: number };
  readonly processes: number;
  readonly startedAt: number;
}

export interface MemoryStats {
  /** With page cache. */
  readonly usageBytes: number;
  readonly rssBytes: number;
  readonly pageFaults: number;
  readonly majorPageFaults: number;
}

export interface PodStats {
  readonly at: number;
  readonly containers: readonly ContainerStats[];
  /** Volumes that live on the node's disk. */
  readonly volumes: readonly { readonly name: string; readonly usedBytes: number }[];
  /** Volumes of storage drivers, where those report their use; none of it is the node's disk. */
  readonly driverVolumes?: readonly DriverVolumeStats[];
  /** Where the runtime counts it. */
  readonly network?: readonly NetworkStats[];
}

export interface DriverVolumeStats {
  /** In the pod's spec. */
  readonly name: string;
  readonly claim: string | undefined;
  readonly bytes?: SpaceStats;
  readonly inodes?: SpaceStats;
}

export interface SpaceStats {
  readonly available: number;
  readonly capacity: number;
  readonly used: number;
}

/** Of one interface, since the pod began. */
export interface NetworkStats {
  readonly name: string;
  readonly rxBytes: number;
  readonly rxErrors: number;
  readonly txBytes: number;
  readonly txErrors: number;
}

export interface NodeStats {
  /** Processor time of the machine since it started, in nanoseconds. @default what the pods used */
  readonly cpuNanoseconds?: number;
  /** `podBytes`: what all pods use together. */
  readonly memory: { readonly capacityBytes: number; readonly availableBytes: number; readonly podBytes: number };
  readonly nodeFs: FileSystemStats;
  /** Of images and containers, where they have a disk of their own. */
  readonly imageFs?: FileSystemStats;
  readonly processes: { readonly max: number; readonly running: number };
}

export interface FileSystemStats {
  readonly capacityBytes: number;
  readonly availableBytes: number;
  readonly inodes: number;
  readonly inodesFree: number;
}
