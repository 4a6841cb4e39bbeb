import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemRuntime } from "@coxswain/runtime";
import { silentLogger } from "@coxswain/runtime/log";
import { hasStoreReason } from "../../contract/store-error.js";
import { openLmdbStore } from "../index.js";

/**
 * Fills a small disk, deletes on it while it is full, gives it room again and goes on. Reports what it saw as one line of JSON.
 * The disk is mounted at the directory given, and has a filler file that can be taken away.
 */
const [disk = ""] = process.argv.slice(2);
const filler = join(disk, "filler");
writeFileSync(filler, Buffer.alloc(6 * 1024 * 1024, 1));
const directory = join(disk, "store");
const lines: string[] = [];
const open = (): ReturnType<typeof openLmdbStore> =>
  openLmdbStore({
    directory,
    runtime: systemRuntime({ log: { ...silentLogger, warn: (line) => void lines.push(line) } }),
    compaction: "off",
    reserveBytes: 1024 * 1024,
  });
let store = await open();
await new Promise((resolve) => setTimeout(resolve, 100)); // the reserve is made beside

const acknowledged = new Map<string, number>();
async function fill(prefix: string, most: number): Promise<{ written: number; refused: unknown[] }> {
  const refused: unknown[] = [];
  let written = 0;
  for (let i = 0; i < most && refused.length === 0; i += 8) {
    const puts = Array.from({ length: 8 }, async (_, j) => {
      const key = `${prefix}${i + j}`;
      const result = await store
        .put({ key, value: new Uint8Array(2500).fill(i), expected: 0 })
        .catch((err: unknown) => void refused.push(err));
      if (result?.kind !== "written") return;
      acknowledged.set(key, result.revision);
      written += 1;
    });
    await Promise.all(puts);
  }
  return { written, refused };
}

const first = await fill("/fill/", 100_000);
const whileFull = await store.put({ key: "/while-full", value: new Uint8Array(10), expected: 0 }).then(
  () => "written",
  (err: unknown) => (hasStoreReason(err, "full") ? "full" : String(err)),
);
const reportedFull = (await store.status()).full !== undefined;
const read = (await store.range({ prefix: "/fill/", countOnly: true })).count;
let deleted = 0;
for (const [key, expected] of [...acknowledged].slice(0, 300)) {
  const result = await store.delete({ key, expected });
  if (result.kind !== "deleted") continue;
  acknowledged.delete(key);
  deleted += 1;
}
await store.compact((await store.status()).revision);
const stillReadOnly = (await store.status()).readOnly;
rmSync(filler);
const reportedAgain = (await store.status()).full ?? null;
const second = await fill("/again/", 400);
await store.close();
store = await open();
const found = new Set((await store.range({ prefix: "", keysOnly: true })).records.map(({ key }) => key));
const lost = [...acknowledged.keys()].filter((key) => !found.has(key)).length;
const extra = [...found].filter((key) => !acknowledged.has(key)).length;
await store.close();
console.log(
  JSON.stringify({
    written: first.written,
    refusedAsFull: first.refused.every((err) => hasStoreReason(err, "full")) && first.refused.length,
    whileFull,
    reportedFull,
    reportedAgain,
    read,
    deleted,
    stillReadOnly: stillReadOnly ?? null,
    writtenAgain: second.written,
    refusedAgain: second.refused.map(String),
    lost,
    extra,
    lines,
  }),
);
