import { availableParallelism } from "node:os";

/**
 * Options of Node for a server. V8 has four threads that collect garbage and compile, however few cores there are: on two, they
 * preempt the serving thread for milliseconds. It cannot be set from within a process.
 */
export const serverNodeOptions = (cores = availableParallelism()): string[] => [
  `--v8-pool-size=${Math.min(4, Math.max(1, cores - 1))}`,
];
