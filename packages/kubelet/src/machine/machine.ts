import type { FileSystemStats } from "../runtime/container-runtime.js";

/** The computer that a node is: what it has, and what of it is in use. Of a real node (`linux-machine.ts`). */
export interface Machine {
  /** What does not change until the machine is started again. */
  facts(): Promise<MachineFacts>;
  memory(): Promise<MachineMemory>;
  /** The file system that holds the path. @throws MachineError where there is no such path */
  fileSystem(path: string): Promise<FileSystemStats>;
  processes(): Promise<MachineProcesses>;
  /** Processor time used since the machine started, in nanoseconds of one processor. */
  processorNanoseconds(): Promise<number>;
}

/** Something that a kubelet needs to know cannot be read. */
export class MachineError extends Error {
  override readonly name = "MachineError";
}

export interface MachineFacts {
  /** As Go names it: `amd64`. */
  readonly architecture: string;
  /** As `uname -r` has it. */
  readonly kernelVersion: string;
  /** PRETTY_NAME of os-release. */
  readonly osImage: string;
  readonly machineId: string;
  readonly systemUuid: string;
  readonly bootId: string;
  readonly processors: number;
  readonly memoryBytes: number;
  readonly swapBytes: number;
  /** By ascending size. */
  readonly hugePages: readonly HugePages[];
  readonly cgroupVersion: 1 | 2;
}

export interface HugePages {
  readonly sizeBytes: number;
  /** Reserved by the administrator, whether used or not. */
  readonly count: number;
}

export interface MachineMemory {
  readonly capacityBytes: number;
  /** The capacity without the working set. */
  readonly availableBytes: number;
  /** In use, page cache of files included. */
  readonly usageBytes: number;
  /** In use, without page cache that the kernel drops first. */
  readonly workingSetBytes: number;
}

export interface MachineProcesses {
  readonly max: number;
  /** Threads count, as they do for the limit. */
  readonly running: number;
}
