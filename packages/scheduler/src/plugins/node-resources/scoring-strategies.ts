import { maxNodeScore } from "../../framework/plugin.js";
import type { Allocation, ResourceWeight } from "./allocation-scorer.js";

export interface ShapePoint {
  /** In percent. */
  readonly utilization: number;
  /** 0 to 10. */
  readonly score: number;
}

export type ScoreAllocation = (allocation: Allocation) => number;

/** Prefers nodes with much left. */
export const leastAllocated = (resources: readonly ResourceWeight[]): ScoreAllocation =>
  weightedMean(resources, (requested, capacity) =>
    requested > capacity ? 0 : Math.trunc(((capacity - requested) * maxNodeScore) / capacity),
  );

/** Prefers nodes with little left. */
export const mostAllocated = (resources: readonly ResourceWeight[]): ScoreAllocation =>
  weightedMean(resources, (requested, capacity) =>
    Math.trunc((Math.min(requested, capacity) * maxNodeScore) / capacity),
  );

/** Prefers nodes by a function of their utilization, given by points. Resources that score nothing have no weight. */
export function requestedToCapacityRatio(
  resources: readonly ResourceWeight[],
  shape: readonly ShapePoint[],
): ScoreAllocation {
  const points = shape.map(({ utilization, score }) => ({ utilization, score: score * 10 }));
  return ({ requested, capacities }) => {
    let sum = 0;
    let weights = 0;
    for (const [at, { weight }] of resources.entries()) {
      const capacity = capacities[at] as number;
      if (capacity === 0) continue;
      const wanted = requested[at] as number;
      const score = interpolate(points, wanted > capacity ? 100 : Math.trunc((wanted * 100) / capacity));
      if (score <= 0) continue;
      sum += score * weight;
      weights += weight;
    }
    return weights === 0 ? 0 : Math.round(sum / weights);
  };
}

function interpolate(points: readonly ShapePoint[], at: number): number {
  let before: ShapePoint | undefined;
  for (const point of points) {
    if (at <= point.utilization) {
      if (before === undefined) return point.score;
      const rise = (point.score - before.score) * (at - before.utilization);
      return before.score + Math.trunc(rise / (point.utilization - before.utilization));
    }
    before = point;
  }
  return before?.score ?? 0;
}

function weightedMean(
  resources: readonly ResourceWeight[],
  scoreOne: (requested: number, capacity: number) => number,
): ScoreAllocation {
  return ({ requested, capacities }) => {
    let sum = 0;
    let weights = 0;
    for (let at = 0; at < resources.length; at++) {
      const capacity = capacities[at] as number;
      if (capacity === 0) continue;
      const { weight } = resources[at] as ResourceWeight;
      sum += scoreOne(requested[at] as number, capacity) * weight;
      weights += weight;
    }
    return weights === 0 ? 0 : Math.trunc(sum / weights);
  };
}
