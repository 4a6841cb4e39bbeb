import { writeSync } from "node:fs";
import { systemRuntime } from "@coxswain/runtime";
import { openLmdbStore } from "../index.js";
import { valueFor, type WriterLine } from "./writer-protocol.js";

/**
 * Writes, a few at a time, and ends hard when a step of a write is done for the given time. Reports every write that it was
 * answered. Arguments: the directory, a nonce for this life, the step, which time, and how many writes there are at most.
 */
const [directory = "", life = "", wanted = "", times = "1", most = "1000"] = process.argv.slice(2);
let left = Number(times);
const moment = (at: string): void => {
  if (at === wanted && --left === 0) process.kill(process.pid, "SIGKILL");
};
const report = (line: WriterLine): void => void writeSync(1, `${JSON.stringify(line)}\n`);

const store = await openLmdbStore({
  directory,
  runtime: systemRuntime(),
  compaction: "off",
  reserveBytes: 0,
  seams: { moment, walFirst: true },
});
report({ event: "open", revision: (await store.status()).revision });
for (let i = 0; i < Number(most); i++) {
  const writes = Array.from({ length: 1 + (i % 3) }, async (_, j) => {
    const key = `/k/${(i * 3 + j) % 50}`;
    const nonce = `${life}-${i}-${j}`;
    const current = await store.get(key);
    const result = await store.put({
      key,
      value: valueFor(key, nonce, (i * 997) % 9000),
      expected: current?.revision ?? 0,
    });
    if (result.kind === "written") report({ event: "written", key, revision: result.revision, deleted: false, nonce });
  });
  await Promise.all(writes);
}
process.exit(0);
