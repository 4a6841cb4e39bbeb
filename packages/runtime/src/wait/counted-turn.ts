import { macrotask } from "../event-loop/index.js";

/**
 * Lets others use the event loop after a number of steps. Steps are counted and not timed, so that the order of callbacks is
 * the same on every machine: programs on a virtual clock depend on it.
 */
export interface CountedTurn {
  /** Counts `steps`; resolves in a later turn of the event loop when the limit is reached. Undefined: go on at once. */
  spend(steps: number): Promise<void> | undefined;
}

export function createCountedTurn(limit: number): CountedTurn {
  let left = limit;
  return {
    spend(steps) {
      left -= steps;
      if (left > 0) return undefined;
      left = limit;
      return macrotask();
    },
  };
}
