// node print-log.mjs DIRECTORY FROM: what the embedded store of a directory wrote after a revision, as JSON; nothing else has it open.
import { systemRuntime } from "@coxswain/runtime";
import { openLmdbStore } from "@coxswain/storage/lmdb";

const [, , directory, from] = process.argv;
const store = await openLmdbStore({ directory, runtime: systemRuntime(), compaction: "off" });
const { revision: last, compactedRevision } = await store.status();
const revisions = [];
const read = new AbortController();
await store.watch(
  { prefix: "", from: Number(from) },
  (events, progress) => {
    for (const { revision, key, record } of events) {
      if (revisions.at(-1)?.revision !== revision) revisions.push({ revision, changes: [] });
      const value = record ? new TextDecoder().decode(record.value) : null;
      revisions.at(-1).changes.push({ key, value });
    }
    if (progress >= last) read.abort();
  },
  read.signal,
);
await store.close();
process.stdout.write(JSON.stringify({ revisions, compacted: compactedRevision }));
