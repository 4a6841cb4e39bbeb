// Loaded into our processes by NODE_OPTIONS: writes the delay of the event loop into a file of its process, twice a second.
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";

const folder = process.env["COXSWAIN_LOOP_DELAY"];
if (folder !== undefined) {
  const histogram = monitorEventLoopDelay({ resolution: 5 });
  histogram.enable();
  let began = 0;
  setInterval(() => {
    // What was before the mark does not count.
    const mark = statSync(join(folder, "mark"), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (mark !== began) histogram.reset();
    began = mark;
    const ms = (nanoseconds: number): number => nanoseconds / 1e6;
    const text = JSON.stringify({ mark, p99: ms(histogram.percentile(99)), max: ms(histogram.max) });
    writeFileSync(join(folder, `${process.pid}.json`), text);
  }, 500).unref();
}
