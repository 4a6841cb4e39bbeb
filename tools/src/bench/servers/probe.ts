// Loaded into a server by `node --expose-gc --import`: on SIGUSR2 it writes the delays of the event loop since the last time,
// and then what is alive after a collection, to $COXSWAIN_BENCH_PROBE. So a server is measured without knowing of it.
import { renameSync, writeFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";

/** What the file holds. */
export interface ProbeAnswer {
  readonly delayP99Ms: number;
  readonly delayP999Ms: number;
  readonly delayMaxMs: number;
  /** On the heap and beside it, buffers included. */
  readonly liveBytes: number;
  /** On the heap alone. */
  readonly heapBytes: number;
}

const file = process.env["COXSWAIN_BENCH_PROBE"];
if (file !== undefined) {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  process.on("SIGUSR2", () => {
    const delayP99Ms = delays.percentile(99) / 1e6;
    const delayP999Ms = delays.percentile(99.9) / 1e6;
    const delayMaxMs = delays.max / 1e6;
    // Twice: what a collection finds dead beside the heap (the bytes of buffers) is counted until the next one.
    globalThis.gc?.();
    globalThis.gc?.();
    const { heapUsed, external } = process.memoryUsage();
    const liveBytes = heapUsed + external;
    const answer: ProbeAnswer = { delayP99Ms, delayP999Ms, delayMaxMs, liveBytes, heapBytes: heapUsed };
    writeFileSync(`${file}.new`, JSON.stringify(answer));
    renameSync(`${file}.new`, file);
    // Not now: the next sample shows how long the collections took, and that is nobody's delay.
    setTimeout(() => delays.reset(), 100).unref();
  });
}
