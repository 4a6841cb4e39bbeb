import { writeSync } from "node:fs";
import { join } from "node:path";
import { systemRuntime } from "@coxswain/runtime";
import { writeBackup } from "../../backup/index.js";
import type { KeyValueStore } from "../../contract/key-value-store.js";
import { type CommitSeam, openLmdbStore } from "../index.js";
import { valueFor, type WriterLine } from "./writer-protocol.js";

/**
 * Writes until it is killed, and reports every write that was acknowledged. Arguments: the directory, a nonce for this life,
 * and "honest" or "early": an early one reports before anything is on disk, and must be detected.
 */
const [directory = "", life = "", manner = "honest"] = process.argv.slice(2);
const writers = 24;
const keysPerWriter = 40;

const report = (line: WriterLine): void => void writeSync(1, `${JSON.stringify(line)}\n`);

const early: CommitSeam = async (commit, where) => {
  if (where === "file") return commit();
  // A cache that answers at once and writes when it likes.
  setTimeout(() => void commit(), 20);
};

const store = await openLmdbStore({
  directory,
  runtime: systemRuntime(),
  compaction: { bytes: 400_000 },
  ...(manner === "early" && { seams: { commit: early, walFirst: true } }),
});
// The value must not change until it is written: the memory is not reused.
if (manner === "early") await store.snapshot();
report({ event: "open", revision: (await store.status()).revision });

async function write(writer: number, i: number): Promise<void> {
  const key = `/k/${writer}/${Math.floor(Math.random() * keysPerWriter)}`;
  const current = await store.get(key);
  const nonce = `${life}-${writer}-${i}`;
  if (current !== undefined && Math.random() < 0.15) {
    const result = await store.delete({ key, expected: current.revision });
    if (result.kind === "deleted") report({ event: "written", key, revision: result.revision, deleted: true, nonce });
    return;
  }
  const value = valueFor(key, nonce, Math.floor(Math.random() * 6000));
  const second = `/pair/${writer}`;
  if (Math.random() < 0.1) {
    const other = await store.get(second);
    const result = await store.transaction([
      { op: "put", key, value, expected: current?.revision ?? 0 },
      { op: "put", key: second, value: valueFor(second, nonce, 10), expected: other?.revision ?? 0 },
    ]);
    if (result.kind !== "written") return;
    for (const one of [key, second])
      report({ event: "written", key: one, revision: result.revision, deleted: false, nonce });
    return;
  }
  const result = await store.put({ key, value, expected: current?.revision ?? 0 });
  if (result.kind === "written") report({ event: "written", key, revision: result.revision, deleted: false, nonce });
}

async function disturb(kv: KeyValueStore): Promise<void> {
  for (let i = 0; ; i++) {
    await new Promise((resolve) => setTimeout(resolve, 15));
    const { revision } = await kv.status();
    if (i % 3 === 0) {
      await kv.compact(revision);
      report({ event: "compacted", revision });
    } else if (i % 3 === 1) {
      const file = join(directory, "..", `backup-${life}-${i}`);
      const done = await writeBackup(kv, { file });
      report({ event: "backed up", revision: done.revision, file });
    } else {
      await kv.defragment?.();
      report({ event: "defragmented", revision });
    }
  }
}

await Promise.all([
  disturb(store),
  ...Array.from({ length: writers }, async (_, writer) => {
    for (let i = 0; ; i++) await write(writer, i);
  }),
]);
