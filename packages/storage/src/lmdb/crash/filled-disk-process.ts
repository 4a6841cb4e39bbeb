import { appendFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { systemRuntime } from "@coxswain/runtime";
import { silentLogger } from "@coxswain/runtime/log";
import { hasStoreReason } from "../../contract/store-error.js";
import { openLmdbStore } from "../index.js";

/**
 * Others fill the disk to its last byte under a store, which is then written to, opened again and given room. Reports what it saw as one
 * line of JSON. The disk is mounted at the directory given.
 */
const [disk = "", reserveBytes = ""] = process.argv.slice(2);
const filler = join(disk, "filler");
const lines: string[] = [];
const open = (): ReturnType<typeof openLmdbStore> =>
  openLmdbStore({
    directory: join(disk, "store"),
    runtime: systemRuntime({ log: { ...silentLogger, warn: (line) => void lines.push(line) } }),
    reserveBytes: Number(reserveBytes),
  });
function fillDisk(): void {
  for (const bytes of [1 << 20, 1 << 12, 1]) {
    try {
      for (;;) appendFileSync(filler, Buffer.alloc(bytes));
    } catch {
      // There is no room for so many.
    }
  }
}
let store = await open();
/** Eight at once are one transaction, whose pages are large. */
const write = async (prefix: string): Promise<string[]> => {
  const results = Array.from({ length: 8 }, (_, at) =>
    store.put({ key: `/${prefix}/${at}`, value: new Uint8Array(1_000_000).fill(at), expected: 0 }).then(
      ({ kind }) => kind,
      (err: unknown) => (hasStoreReason(err, "full") ? "full" : String(err)),
    ),
  );
  return [...new Set(await Promise.all(results))];
};
const seen: Record<string, unknown> = { before: await write("before") };
fillDisk();
for (let round = 0; round < 5; round += 1) seen[`during ${round}`] = await write(`during-${round}`);
seen["reported as full"] = (await store.status()).full !== undefined;
await store.close();
fillDisk();
seen["opened again"] = await open().then(
  () => "opened",
  (err: unknown) => (hasStoreReason(err, "full") ? "full" : String(err)),
);
rmSync(filler);
store = await open();
seen["with room"] = await write("after");
seen["keys"] = (await store.status()).keys;
seen["reported"] = lines.filter((line) => line.includes("the disk is full")).length;
await store.close();
console.log(JSON.stringify(seen));
