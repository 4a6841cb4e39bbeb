// npm run tool -- soak [--watchers 2000] [--writers 16] [--seconds 60]
// Idle watches beside writers. Memory that is alive (after a collection) is measured before and after the writers' time, each
// time when the events of before have left the server's rings: what the work leaves behind shows, how fast it went does not.
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { stopOnSignal } from "../../upstream/index.js";
import { runJob } from "../load/run-job.js";
import { startOurs } from "../servers/ours.js";
import { startSoak } from "./soak.js";

const { values: options } = parseArgs({
  options: {
    watchers: { type: "string", default: "2000" },
    writers: { type: "string", default: "16" },
    seconds: { type: "string", default: "60" },
  },
});
const watchers = Number(options.watchers);
/** Events are kept for 75 seconds and leave when the next one comes. */
const eventsGoneMs = 80_000;
/** What is alive afterwards may be this much of what was before. */
const allowed = 1.1;
const namespace = "soak";

const server = await startOurs({ probed: true });
stopOnSignal(() => server.stop());
const live = async (what: string): Promise<number> => {
  const { liveBytes } = await server.probe!();
  console.log(
    `${what.padEnd(56)} ${(liveBytes / 1e6).toFixed(1)} MB alive, ${Math.round((await server.residentBytes()) / 1e6)} MB resident`,
  );
  return liveBytes;
};
try {
  const create = {
    method: "POST",
    path: "/api/v1/namespaces",
    body: JSON.stringify({ metadata: { name: namespace } }),
  };
  await runJob(
    { kind: "requests", access: server.access, request: create, connections: 1, inFlightEach: 1, count: 1 },
    new AbortController().signal,
  );
  await live("idle");
  const soak = await startSoak({ access: server.access, namespace, watchers, writers: Number(options.writers) });
  await live(`${watchers} watches, opened in ${Math.round(soak.openMs)} ms`);
  const settled = async (what: string): Promise<number> => {
    await sleep(eventsGoneMs);
    const awake = await soak.wake(sleep(30_000));
    if (awake !== watchers) throw new Error(`an event reached ${awake} of ${watchers} watches`);
    return live(what);
  };
  await soak.work((writes) => writes >= 1_000);
  const before = await settled("after 1,000 writes, settled");
  const end = performance.now() + Number(options.seconds) * 1000;
  const work = await soak.work(() => performance.now() >= end);
  await live(`after ${work.writes} writes, ${Math.round(work.writes / work.seconds)} per s`);
  const after = await settled("settled");
  soak.close();
  const isFlat = after <= before * allowed;
  console.log(
    `${((after / before - 1) * 100).toFixed(1)} % more alive than before: ${isFlat ? "flat" : "NOT FLAT"}; an event reached every watch`,
  );
  process.exitCode = isFlat ? 0 : 1;
} finally {
  await server.stop();
}
