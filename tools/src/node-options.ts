import { availableParallelism } from "node:os";

/**
 * Options of Node for a server. V8 has four threads that collect garbage and compile, however few cores there are: on two, they
 * push the one aside that serves, for milliseconds. It cannot be told so from within a process.
 */
export const serverNodeOptions = (cores = availableParallelism()): string[] => [
  `--v8-pool-size=${Math.min(4, Math.max(1, cores - 1))}`,
];
