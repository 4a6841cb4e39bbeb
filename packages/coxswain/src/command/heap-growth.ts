import { setFlagsFromString } from "node:v8";
import type { Clock } from "@coxswain/runtime/clock";

/** Later than the launcher keeps the compiled code: that is good only for a process with the same flags. */
const afterMs = 5000;
export const growthFlag = "--heap-growing-percent=50";

/**
 * The engine collects when the heap has grown by half since the last time; left to itself it waits until a heap of this size is
 * nearly four times as large. Most of what a server keeps lies beside the heap, so this costs some 2 % of its time under a load
 * of writes, and saves a fifth of its memory.
 */
export const boundHeapGrowth = (clock: Pick<Clock, "setTimer">): void =>
  void clock.setTimer(afterMs, () => setFlagsFromString(growthFlag));
