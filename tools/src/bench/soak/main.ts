// npm run soak -- [--watchers 2000] [--writers 16] [--seconds 60] [--rounds 3] [--upstream]
// Idle watches beside writers: the first rounds fill what may be filled (the events of the last 75 seconds, pools, the
// collector's head-room), the last one must not add to it.
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { stopOnSignal } from "../../upstream/index.js";
import { runJob } from "../load/run-job.js";
import { startOurs } from "../servers/ours.js";
import { startUpstream } from "../servers/upstream.js";
import { startSoak } from "./soak.js";

const { values: options } = parseArgs({
  options: { watchers: { type: "string", default: "2000" }, writers: { type: "string", default: "16" }, seconds: { type: "string", default: "60" }, rounds: { type: "string", default: "3" }, upstream: { type: "boolean" } },
});
const seconds = Number(options.seconds);
/** Memory after the last round may be this much of the most after those before: a collector in no hurry lets it swing. */
const allowed = 1.1;

const server = await (options.upstream ? startUpstream() : startOurs());
stopOnSignal(() => server.stop());
const memory = async (what: string): Promise<number> => {
  await sleep(5_000); // collectors run when there is nothing else to do
  const bytes = await server.anonymousBytes();
  console.log(`${what.padEnd(40)} ${Math.round(bytes / 1e6)} MB, and ${Math.round(((await server.residentBytes()) - bytes) / 1e6)} MB of mapped files`);
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
  for (let round = 1; round <= Number(options.rounds); round++) {
    const end = performance.now() + seconds * 1000;
    const work = await soak.work(() => performance.now() >= end);
    after.push(await memory(`round ${round}, ${Math.round(work.writes / work.seconds)} writes per s`));
  }
  const awake = await soak.wake(sleep(30_000));
  console.log(`an event reached ${awake} of ${options.watchers} watches`);
  soak.close();
  await memory("watches closed");
  const growth = after.at(-1)! / Math.max(...(after.length > 1 ? after.slice(0, -1) : after));
  const isFlat = growth <= allowed && awake === Number(options.watchers);
  console.log(`the last round changed memory by ${((growth - 1) * 100).toFixed(1)} %: ${isFlat ? "flat" : "NOT FLAT"}`);
  process.exitCode = isFlat ? 0 : 1;
} finally {
  await server.stop();
}
