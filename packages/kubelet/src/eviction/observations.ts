import type { FileSystemStats, NodeStats } from "../runtime/container-runtime.js";
import type { Signal } from "./signals.js";
import { amountOf, type Threshold } from "./thresholds.js";

export interface Observation {
  readonly available: number;
  readonly capacity: number;
}
export type Observations = ReadonlyMap<Signal, Observation>;

/** Pure: what a node's usage means for each signal. `allocatable` is what pods may use of the memory together. */
export function observe(stats: NodeStats, allocatableMemory: number): Observations {
  const { memory, nodeFs, imageFs = nodeFs, processes } = stats;
  return new Map<Signal, Observation>([
    ["memory.available", { available: memory.availableBytes, capacity: memory.capacityBytes }],
    ["allocatableMemory.available", { available: allocatableMemory - memory.podBytes, capacity: allocatableMemory }],
    ["nodefs.available", bytesOf(nodeFs)],
    ["nodefs.inodesFree", inodesOf(nodeFs)],
    ["imagefs.available", bytesOf(imageFs)],
    ["imagefs.inodesFree", inodesOf(imageFs)],
    ["pid.available", { available: processes.max - processes.running, capacity: processes.max }],
  ]);
}

const bytesOf = ({ availableBytes, capacityBytes }: FileSystemStats): Observation => ({
  available: availableBytes,
  capacity: capacityBytes,
});
const inodesOf = ({ inodesFree, inodes }: FileSystemStats): Observation => ({
  available: inodesFree,
  capacity: inodes,
});

/** Pure: the thresholds that are met whatever their grace periods; with `isResolving`, those that are not resolved yet. */
export function thresholdsMet(
  thresholds: readonly Threshold[],
  observations: Observations,
  isResolving: boolean,
): Threshold[] {
  return thresholds.filter(({ signal, value, minReclaim }) => {
    const observed = observations.get(signal);
    if (!observed) return false;
    const wanted = amountOf(value, observed.capacity);
    const more = isResolving && minReclaim ? amountOf(minReclaim, observed.capacity) : 0;
    return wanted + more > observed.available;
  });
}
