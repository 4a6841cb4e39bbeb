import { macrotask } from "../event-loop/index.js";
import type { Soon } from "../soon/index.js";

/** Work on what is larger is done in steps between which others run. By size, not by time: the same requests interleave the same way. */
export const largeBytes = 64 << 10;

/** Between two steps of work on so many bytes: decoding, tracking fields, validation and encoding take about 0.1 s each for a megabyte. */
export const betweenSteps = (bytes: number): Soon<void> => (bytes > largeBytes ? macrotask() : undefined);
