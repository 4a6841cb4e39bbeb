import { macrotask } from "../event-loop/index.js";
import type { TimeSlice } from "./time-slice.js";

/**
 * A slice that is over after a number of looks instead of a time: what runs between two is the same on every machine, which
 * programs on a virtual clock depend on.
 */
export function startCountedSlice(looks: number): TimeSlice {
  let left = looks;
  return {
    isOver: () => --left < 0,
    async next() {
      await macrotask();
      left = looks;
    },
  };
}
