import assert from "node:assert/strict";
import { append } from "@coxswain/apimachinery/append";
import type { KeyValueStore, RangeQuery } from "../contract/key-value-store.js";
import { text } from "./bytes.js";
import type { Check } from "./store-under-test.js";
import { rejectsWith, remove, revisionOf, write } from "./writing.js";

const keys = ["/p/a", "/p/a/1", "/p/a0", "/p/b", "/p/\uffff", "/p/\u{10000}", "/q", "/pp"];
const sorted = (prefix: string): string[] =>
  keys.filter((key) => key.startsWith(prefix)).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));

async function filled(store: KeyValueStore): Promise<KeyValueStore> {
  for (const key of keys) await write(store, key, `value of ${key}`);
  return store;
}

const keysOf = async (store: KeyValueStore, query: RangeQuery): Promise<string[]> =>
  (await store.range(query)).records.map(({ key }) => key);

export const rangeChecks: readonly Check[] = [
  {
    title: "a range has the keys that start with the prefix, by their bytes",
    async body({ store }) {
      await filled(store);
      for (const prefix of ["/p/", "/p", "/", "", "/p/a", "/nothing"])
        assert.deepEqual(await keysOf(store, { prefix }), sorted(prefix), prefix);
    },
  },
  {
    title: "a range has whole records, its revision and its count",
    async body({ store }) {
      const revision = await revisionOf(await filled(store));
      const result = await store.range({ prefix: "/p/" });
      assert.deepEqual(
        { revision: result.revision, more: result.more, count: result.count },
        { revision, more: false, count: 6 },
      );
      for (const record of result.records) {
        assert.deepEqual(
          { ...record, value: text(record.value) },
          { ...(await store.get(record.key)), value: `value of ${record.key}` },
        );
      }
    },
  },
  {
    title: "a limited range reports that there is more, and counts all",
    async body({ store }) {
      await filled(store);
      const result = await store.range({ prefix: "/p/", limit: 2 });
      assert.deepEqual([result.records.length, result.more, result.count], [2, true, 6]);
      const exact = await store.range({ prefix: "/p/", limit: 6 });
      assert.deepEqual([exact.records.length, exact.more, exact.count], [6, false, 6]);
      assert.equal((await store.range({ prefix: "/p/", limit: 0 })).records.length, 6);
    },
  },
  {
    title: "pages that begin behind the last key show every key once, at one revision",
    async body({ store }) {
      const revision = await revisionOf(await filled(store));
      const seen: string[] = [];
      let start: string | undefined;
      for (;;) {
        const page: RangeQuery = { prefix: "/", limit: 3, at: revision, ...(start !== undefined && { start }) };
        const { records, more, count } = await store.range(page);
        assert.equal(count, keys.length - seen.length);
        append(
          seen,
          records.map(({ key }) => key),
        );
        if (!more) break;
        start = `${seen.at(-1)}\u0000`;
        // Others write on between the pages.
        await write(store, `/p/new${seen.length}`, "later");
        await remove(store, "/q", (await store.get("/q"))?.revision ?? 0).catch(() => undefined);
      }
      assert.deepEqual(seen, sorted("/"));
    },
  },
  {
    title: "a start before the prefix begins at the prefix, one behind it finds nothing",
    async body({ store }) {
      await filled(store);
      assert.deepEqual(await keysOf(store, { prefix: "/p/", start: "/" }), sorted("/p/"));
      assert.deepEqual(await keysOf(store, { prefix: "/p/", start: "/q" }), []);
      assert.deepEqual(
        await keysOf(store, { prefix: "/p/", start: "/p/b" }),
        sorted("/p/").slice(sorted("/p/").indexOf("/p/b")),
      );
    },
  },
  {
    title: "keys only leaves out the values, count only the records",
    async body({ store }) {
      await filled(store);
      const { records } = await store.range({ prefix: "/p/", keysOnly: true });
      assert.deepEqual(
        records.map(({ key, value }) => [key, value.length]),
        sorted("/p/").map((key) => [key, 0]),
      );
      const counted = await store.range({ prefix: "/p/", countOnly: true });
      assert.deepEqual([counted.records.length, counted.count, counted.more], [0, 6, false]);
    },
  },
  {
    title: "a read at a revision sees what stood there then",
    async body({ store }) {
      const first = await write(store, "/a", "1");
      const second = await write(store, "/b", "1");
      const third = await write(store, "/a", "2", first);
      const fourth = await remove(store, "/b", second);
      const fifth = await write(store, "/b", "2");
      const at = async (revision: number): Promise<string[]> =>
        (await store.range({ prefix: "/", at: revision })).records.map(
          (r) => `${r.key}=${text(r.value)}@${r.revision}`,
        );
      assert.deepEqual(await at(first), [`/a=1@${first}`]);
      assert.deepEqual(await at(second), [`/a=1@${first}`, `/b=1@${second}`]);
      assert.deepEqual(await at(third), [`/a=2@${third}`, `/b=1@${second}`]);
      assert.deepEqual(await at(fourth), [`/a=2@${third}`]);
      assert.deepEqual(await at(fifth), [`/a=2@${third}`, `/b=2@${fifth}`]);
      assert.equal(text((await store.get("/a", { at: second }))?.value), "1");
      assert.equal(await store.get("/b", { at: first }), undefined);
      assert.equal(await store.get("/b", { at: fourth }), undefined);
      assert.equal(text((await store.get("/b", { at: third }))?.value), "1");
      assert.equal((await store.range({ prefix: "/", at: second })).revision, second);
      assert.equal((await store.range({ prefix: "/", at: second, countOnly: true })).count, 2);
    },
  },
  {
    title: "a read of the future is refused",
    async body({ store }) {
      const revision = await write(store, "/a", "1");
      await rejectsWith(store.range({ prefix: "/", at: revision + 1 }), "future");
      await rejectsWith(store.get("/a", { at: revision + 100 }), "future");
    },
  },
  {
    title: "a range of thousands is one revision while others write",
    async body({ store }) {
      const portion = Array.from({ length: 50 }, (_, i) => i);
      for (let from = 0; from < 2000; from += 50) {
        await store.transaction(
          portion.map((i) => ({ op: "put", key: `/n/${from + i}`, value: new Uint8Array(2000).fill(1), expected: 0 })),
        );
      }
      const reading = store.range({ prefix: "/n/" });
      const writing = Promise.all(
        portion.map((i) => store.delete({ key: `/n/${i}`, expected: 1 }).then(() => write(store, `/o/${i}`, "x"))),
      );
      const { records, revision } = await reading;
      await writing;
      assert.equal(records.length, 2000);
      assert.ok(records.every((record) => record.revision <= revision && record.value.length === 2000));
    },
  },
];
