// Loaded into a server by `node --import`: on SIGUSR2 it writes the delays of the event loop since the last time to
// $COXSWAIN_BENCH_PROBE, so that a server is measured without knowing of it.
import { renameSync, writeFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";

const file = process.env["COXSWAIN_BENCH_PROBE"];
if (file !== undefined) {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  process.on("SIGUSR2", () => {
    const ms = (nanoseconds: number): number => nanoseconds / 1e6;
    writeFileSync(`${file}.new`, JSON.stringify({ p50Ms: ms(delays.percentile(50)), p99Ms: ms(delays.percentile(99)), maxMs: ms(delays.max) }));
    renameSync(`${file}.new`, file);
    delays.reset();
  });
}
