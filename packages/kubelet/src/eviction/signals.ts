/** What the kubelet watches of its node: how much is left of a resource. */
export const signals = [
  "memory.available",
  "allocatableMemory.available",
  "nodefs.available",
  "nodefs.inodesFree",
  "imagefs.available",
  "imagefs.inodesFree",
  "pid.available",
] as const;
export type Signal = (typeof signals)[number];

export type PressureCondition = "MemoryPressure" | "DiskPressure" | "PIDPressure";
export type StarvedResource = "memory" | "ephemeral-storage" | "inodes" | "pids";

export const conditionOf: Readonly<Record<Signal, PressureCondition>> = {
  "memory.available": "MemoryPressure",
  "allocatableMemory.available": "MemoryPressure",
  "nodefs.available": "DiskPressure",
  "nodefs.inodesFree": "DiskPressure",
  "imagefs.available": "DiskPressure",
  "imagefs.inodesFree": "DiskPressure",
  "pid.available": "PIDPressure",
};

export const resourceOf: Readonly<Record<Signal, StarvedResource>> = {
  "memory.available": "memory",
  "allocatableMemory.available": "memory",
  "nodefs.available": "ephemeral-storage",
  "nodefs.inodesFree": "inodes",
  "imagefs.available": "ephemeral-storage",
  "imagefs.inodesFree": "inodes",
  "pid.available": "pids",
};
