import assert from "node:assert/strict";
import type { StoreSnapshot } from "../contract/key-value-store.js";
import { text } from "./bytes.js";
import type { Check } from "./store-under-test.js";
import { remove, revisionOf, write } from "./writing.js";

async function linesOf(snapshot: StoreSnapshot): Promise<string[]> {
  const lines: string[] = [];
  for await (const records of snapshot.batches())
    for (const { key, value, revision } of records) lines.push(`${key}=${text(value)}@${revision}`);
  return lines;
}

export const snapshotChecks: readonly Check[] = [
  {
    title: "a snapshot shows one revision, whatever is written or compacted meanwhile",
    async body({ store }) {
      const expected: string[] = [];
      for (let i = 0; i < 300; i++) {
        const key = `/k${String(i).padStart(3, "0")}`;
        expected.push(`${key}=v@${await write(store, key, "v")}`);
      }
      const revision = await revisionOf(store);
      const snapshot = await store.snapshot();
      assert.deepEqual([snapshot.revision, snapshot.keys], [revision, 300]);
      let last = 0;
      for (let i = 0; i < 100; i++) {
        const key = `/k${String(i).padStart(3, "0")}`;
        const record = (await store.get(key))!;
        last =
          i % 2 === 0 ? await remove(store, key, record.revision) : await write(store, key, "changed", record.revision);
      }
      await store.compact(last);
      await write(store, "/new", "v");
      assert.deepEqual(await linesOf(snapshot), expected);
      assert.deepEqual(await linesOf(snapshot), expected, "a second reading");
      await snapshot.close();
      await snapshot.close();
    },
  },
  {
    title: "a snapshot of an empty store is empty",
    async body({ store }) {
      const snapshot = await store.snapshot();
      assert.deepEqual([snapshot.keys, await linesOf(snapshot)], [0, []]);
      await snapshot.close();
    },
  },
  {
    title: "reading a snapshot stops when aborted",
    async body({ store }) {
      await write(store, "/a", "1");
      const snapshot = await store.snapshot();
      const reason = new Error("enough");
      await assert.rejects(async () => {
        for await (const records of snapshot.batches(AbortSignal.abort(reason))) assert.ok(records.length >= 0);
      }, reason);
      await snapshot.close();
    },
  },
];
