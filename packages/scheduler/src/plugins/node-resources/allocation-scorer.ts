import type { NodeInfo } from "../../cache/node-info.js";
import type { NodeScorer } from "../../framework/plugin.js";
import { isScalarResourceName } from "../../pod/resource.js";

export interface ResourceWeight {
  readonly name: string;
  readonly weight: number;
}

/** By resource, in the configuration's order. A resource that a node does not have is 0 in all three. */
export interface Allocation {
  /** With the pod. */
  readonly requested: Float64Array;
  /** Without the pod. */
  readonly allocated: Float64Array;
  readonly capacities: Float64Array;
}

export interface AllocationScorerOptions {
  readonly resources: readonly ResourceWeight[];
  /** What the pod requests, in the same order. */
  readonly podRequests: readonly number[];
  /** Whether pods without requests count as nothing, or as small pods. */
  readonly useRequested: boolean;
  /** What devices of a node stand for an extended resource; undefined where none do. */
  dynamic?(node: NodeInfo, resource: string): { readonly allocatable: number; readonly allocated: number } | undefined;
  score(allocation: Allocation): number;
}

/** Scores nodes by how much of their resources would be allocated. Nothing is made for a node: one allocation is filled again and again. */
export function createAllocationScorer(options: AllocationScorerOptions): NodeScorer {
  const { resources, podRequests, useRequested, dynamic, score } = options;
  const allocation: Allocation = {
    requested: new Float64Array(resources.length),
    allocated: new Float64Array(resources.length),
    capacities: new Float64Array(resources.length),
  };
  const counted = resources.map(({ name }, at) => (podRequests[at] as number) !== 0 || !isScalarResourceName(name));

  function fill(at: number, capacity: number, allocated: number): void {
    allocation.capacities[at] = capacity;
    allocation.allocated[at] = capacity === 0 ? 0 : allocated;
    allocation.requested[at] = capacity === 0 ? 0 : allocated + (podRequests[at] as number);
  }

  function fillNamed(at: number, node: NodeInfo, name: string): void {
    const capacity = node.allocatable.scalar?.get(name) ?? 0;
    const devices = capacity === 0 ? dynamic?.(node, name) : undefined;
    if (devices && devices.allocatable > 0) fill(at, devices.allocatable, devices.allocated);
    else fill(at, capacity, node.requested.scalar?.get(name) ?? 0);
  }

  return {
    score(node) {
      const used = useRequested ? node.requested : node.nonZero;
      for (let at = 0; at < resources.length; at++) {
        const { name } = resources[at] as ResourceWeight;
        if (!counted[at]) fill(at, 0, 0);
        else if (name === "cpu") fill(at, node.allocatable.milliCpu, used.milliCpu);
        else if (name === "memory") fill(at, node.allocatable.memory, used.memory);
        else if (name === "ephemeral-storage")
          fill(at, node.allocatable.ephemeralStorage, node.requested.ephemeralStorage);
        else fillNamed(at, node, name);
      }
      return score(allocation);
    },
  };
}
