// npm run soak -- [--watchers 2000] [--writers 16] [--seconds 60] [--upstream]
// Idle watches beside writers: a first round fills what may be filled (rings of events, pools), a second must not add to it.
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { stopOnSignal } from "../../upstream/index.js";
import { runJob } from "../load/run-job.js";
import { startOurs } from "../servers/ours.js";
import { startUpstream } from "../servers/upstream.js";
import { startSoak } from "./soak.js";

const { values: options } = parseArgs({
  options: { watchers: { type: "string", default: "2000" }, writers: { type: "string", default: "16" }, seconds: { type: "string", default: "60" }, upstream: { type: "boolean" } },
});
const seconds = Number(options.seconds);
/** Memory after the second round may be this much of that after the first. */
const allowed = 1.1;

const server = await (options.upstream ? startUpstream() : startOurs());
stopOnSignal(() => server.stop());
const memory = async (what: string): Promise<number> => {
  await sleep(5_000); // collectors run when there is nothing else to do
  const bytes = await server.residentBytes();
  console.log(`${what.padEnd(40)} ${Math.round(bytes / 1e6)} MB`);
  return bytes;
};
try {
  const namespace = "soak";
  const create = { method: "POST", path: "/api/v1/namespaces", body: JSON.stringify({ metadata: { name: namespace } }) };
  await runJob({ kind: "requests", access: server.access, request: create, connections: 1, inFlightEach: 1, count: 1 }, new AbortController().signal);
  await memory("idle");
  const soak = await startSoak({ access: server.access, namespace, watchers: Number(options.watchers), writers: Number(options.writers) });
  await memory(`${options.watchers} watches, opened in ${Math.round(soak.openMs)} ms`);
  const after: number[] = [];
  for (const round of ["first", "second"]) {
    const end = performance.now() + seconds * 1000;
    const work = await soak.work(() => performance.now() >= end);
    after.push(await memory(`${round} round, ${Math.round(work.writes / work.seconds)} writes per s`));
  }
  const awake = await soak.wake(sleep(30_000));
  console.log(`an event reached ${awake} of ${options.watchers} watches`);
  soak.close();
  await memory("watches closed");
  const growth = after[1]! / after[0]!;
  const isFlat = growth <= allowed && awake === Number(options.watchers);
  console.log(`the second round changed memory by ${((growth - 1) * 100).toFixed(1)} %: ${isFlat ? "flat" : "NOT FLAT"}`);
  process.exitCode = isFlat ? 0 : 1;
} finally {
  await server.stop();
}
