/**
 * How many nodes a step is for, and how long their kubelets may keep Secrets and ConfigMaps. Steps overlap, so that one
 * node more or less does not change all nodes back and forth.
 */
const steps = [
  { min: 0, max: 100, seconds: 0 },
  { min: 90, max: 500, seconds: 15 },
  { min: 450, max: 1000, seconds: 30 },
  { min: 900, max: 2000, seconds: 60 },
  { min: 1800, max: Number.POSITIVE_INFINITY, seconds: 300 },
] as const;

/** Pure: the step for so many nodes, coming from another one. */
export function stepFor(nodes: number, from: number): number {
  let step = from;
  while (nodes > (steps[step]?.max ?? Number.POSITIVE_INFINITY)) step++;
  while (nodes < (steps[step]?.min ?? 0)) step--;
  return step;
}

export const secondsOf = (step: number): number => steps[step]?.seconds ?? 0;
