import { maxNodeScore, type Plugin, skip } from "../../framework/plugin.js";
import { podRequests, scheduled } from "../../pod/pod-requests.js";
import { createAllocationScorer, type ResourceWeight } from "./allocation-scorer.js";
import type { DeviceTotals } from "./fit.js";

export interface BalancedAllocationArgs {
  readonly resources: readonly ResourceWeight[];
}

/** Prefers nodes whose resources the pod brings into balance, so that none runs out long before the others. */
export const createBalancedAllocation = (
  { resources }: BalancedAllocationArgs,
  deviceTotals?: DeviceTotals,
): Plugin => ({
  name: "NodeResourcesBalancedAllocation",
  preScore(cycle) {
    const requests = podRequests(cycle.pod.pod, scheduled);
    const wanted = resources.map(({ name }) => Math.ceil(requests.get(name) ?? 0));
    if (wanted.every((amount) => amount === 0)) return skip;
    const dynamic = deviceTotals?.(resources);
    return {
      kind: "score",
      scorer: createAllocationScorer({
        resources,
        podRequests: wanted,
        useRequested: true,
        ...(dynamic && { dynamic }),
        score: ({ requested, allocated, capacities }) => {
          const half = maxNodeScore / 2;
          const change = balance(requested, capacities) - balance(allocated, capacities);
          return half + Math.trunc((half + change) / 2);
        },
      }),
    };
  },
});

/** 100 where all resources are used to the same degree; less by their standard deviation. */
function balance(used: Float64Array, capacities: Float64Array): number {
  let count = 0;
  let sum = 0;
  let first = 0;
  let second = 0;
  for (let at = 0; at < used.length; at++) {
    if (capacities[at] === 0) continue;
    const fraction = fractionAt(used, capacities, at);
    if (count === 0) first = fraction;
    else second = fraction;
    sum += fraction;
    count++;
  }
  let deviation = 0;
  if (count === 2) deviation = Math.abs((first - second) / 2);
  else if (count > 2) {
    const mean = sum / count;
    let squares = 0;
    for (let at = 0; at < used.length; at++)
      if (capacities[at] !== 0) squares += (fractionAt(used, capacities, at) - mean) ** 2;
    deviation = Math.sqrt(squares / count);
  }
  return Math.trunc((1 - deviation) * maxNodeScore);
}

const fractionAt = (used: Float64Array, capacities: Float64Array, at: number): number =>
  Math.min((used[at] as number) / (capacities[at] as number), 1);
