import { systemRuntime } from "@coxswain/runtime";
import { openLmdbStore } from "@coxswain/storage/lmdb";
import { prefix, valueBytes, type Work } from "./contestant.js";
import { measure } from "./percentiles.js";

/** The embedded store in a process of its own, as a server would have it: takes a directory, then works from its parent. */
const [directory = ""] = process.argv.slice(2);
const started = performance.now();
const store = await openLmdbStore({ directory, runtime: systemRuntime() });
await store.get(`${prefix}000000`);
const openedMs = performance.now() - started;

const value = crypto.getRandomValues(new Uint8Array(valueBytes));
const numbered = (i: number): string => prefix + String(1_000_000 + i).slice(1);
let stamp = 0;

async function run(work: Work): Promise<unknown> {
  switch (work.do) {
    case "fill":
      for (let from = 0; from < work.count; from += 100) {
        const puts = Array.from({ length: Math.min(100, work.count - from) }, (_, i) =>
          store.put({ key: numbered(from + i), value, expected: 0 }),
        );
        await Promise.all(puts);
      }
      return undefined;
    case "writes":
      stamp = Date.now();
      return measure(work, async (client, i) => {
        const result = await store.put({ key: `/registry/writes/${stamp}/${client}-${i}`, value, expected: 0 });
        if (result.kind !== "written") throw new Error("a create was refused");
      });
    case "gets":
      return measure({ ...work, yields: true }, async () => {
        if ((await store.get(numbered(Math.floor(Math.random() * work.count)))) === undefined)
          throw new Error("a key is not there");
      });
    case "range":
      return measure({ clients: 1, seconds: work.seconds }, async () => {
        const { records } = await store.range({ prefix });
        if (records.length !== work.count) throw new Error(`${records.length} keys instead of ${work.count}`);
        await new Promise((resolve) => setImmediate(resolve));
      });
  }
}

process.on("message", (message: { do: "close" } | { do: "compact" } | Work) => {
  const answer = (result: unknown): void => void process.send?.({ result });
  const failed = (err: unknown): void => void process.send?.({ error: String(err) });
  if (message.do === "close") {
    store.close().then(() => process.exit(0), failed);
  } else if (message.do === "compact") {
    store
      .status()
      .then(({ revision }) => store.compact(revision))
      .then(() => new Promise((resolve) => setTimeout(resolve, 3000)))
      .then(() => store.status())
      .then(({ sizeBytes }) => answer(sizeBytes), failed);
  } else {
    run(message).then(answer, failed);
  }
});
globalThis.gc?.();
process.send?.({ openedMs, heapBytes: process.memoryUsage().heapUsed, rssBytes: process.memoryUsage().rss });
