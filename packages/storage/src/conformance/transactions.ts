import assert from "node:assert/strict";
import { bytes, text } from "./bytes.js";
import { follow } from "./follow.js";
import type { Check } from "./store-under-test.js";
import { rejectsWith, revisionOf, write } from "./writing.js";

export const transactionChecks: readonly Check[] = [
  {
    title: "all writes of a transaction have one revision",
    async body({ store }) {
      const b = await write(store, "/b", "old");
      const c = await write(store, "/c", "old");
      const result = await store.transaction([
        { op: "put", key: "/a", value: bytes("new"), expected: 0 },
        { op: "put", key: "/b", value: bytes("new"), expected: b },
        { op: "delete", key: "/c", expected: c },
      ]);
      assert.equal(result.kind, "written");
      const revision = await revisionOf(store);
      assert.equal(result.kind === "written" && result.revision, revision);
      const { records } = await store.range({ prefix: "/" });
      assert.deepEqual(
        records.map((r) => [r.key, text(r.value), r.revision]),
        [
          ["/a", "new", revision],
          ["/b", "new", revision],
        ],
      );
    },
  },
  {
    title: "a transaction that loses writes nothing and names the first write that lost",
    async body({ store }) {
      const b = await write(store, "/b", "old");
      const result = await store.transaction([
        { op: "put", key: "/a", value: bytes("new"), expected: 0 },
        { op: "put", key: "/b", value: bytes("new"), expected: b - 1 },
        { op: "delete", key: "/c", expected: 3 },
      ]);
      assert.equal(result.kind, "conflict");
      assert.deepEqual(result.kind === "conflict" && [result.index, result.current?.revision], [1, b]);
      assert.equal(await store.get("/a"), undefined);
      assert.equal(await revisionOf(store), b);
    },
  },
  {
    title: "a check makes a transaction depend on a key without writing it",
    async body({ store }) {
      const a = await write(store, "/a", "1");
      const good = await store.transaction([
        { op: "check", key: "/a", expected: a },
        { op: "check", key: "/none", expected: 0 },
        { op: "put", key: "/b", value: bytes("1"), expected: 0 },
      ]);
      assert.equal(good.kind, "written");
      const lost = await store.transaction([
        { op: "check", key: "/a", expected: 0 },
        { op: "put", key: "/c", value: bytes("1"), expected: 0 },
      ]);
      assert.deepEqual(lost.kind === "conflict" && [lost.index, lost.current?.revision], [0, a]);
      assert.equal((await store.get("/a"))?.version, 1);
    },
  },
  {
    title: "a check of a range loses to a key of it that was written later, and to no other",
    async body({ store }) {
      await write(store, "/a/1", "1");
      const later = await write(store, "/a/2", "1");
      const outside = await write(store, "/b", "1");
      const put = async (key: string, range: { key: string; end: string | undefined }, expected: number) => {
        const end = range.end === undefined ? undefined : bytes(range.end);
        const result = await store.transaction([
          { op: "put", key, value: bytes("1"), expected: 0 },
          { op: "check range", key: range.key, end, expected },
        ]);
        return result.kind === "written" ? "written" : `${result.index} ${result.current?.key}`;
      };
      const within = { key: "/a/", end: "/a0" };
      assert.equal(await put("/c/1", within, later), "written");
      assert.equal(await put("/c/2", within, later - 1), "1 /a/2");
      assert.equal(await put("/c/3", { key: "/a/", end: "/a/2" }, later - 1), "written");
      assert.equal(await put("/c/4", { key: "/b", end: "/b0" }, outside - 1), "1 /b");
      assert.equal(await put("/c/5", { key: "/x", end: undefined }, 1), "written");
      assert.equal(await put("/c/6", { key: "", end: undefined }, await revisionOf(store)), "written");
      assert.deepEqual(
        (await store.range({ prefix: "/c/" })).records.map(({ key }) => key),
        ["/c/1", "/c/3", "/c/5", "/c/6"],
      );
    },
  },
  {
    title: "a check of a range loses to a key that is written at the same time, before it",
    async body({ store }) {
      const before = await revisionOf(store);
      const [first, second] = await Promise.all([
        store.put({ key: "/a/new", value: bytes("1"), expected: 0 }),
        store.transaction([
          { op: "put", key: "/b", value: bytes("1"), expected: 0 },
          { op: "check range", key: "/a/", end: bytes("/a0"), expected: before },
        ]),
      ]);
      assert.equal(first.kind, "written");
      const revisions = [first, second].map((result) => (result.kind === "written" ? result.revision : Infinity));
      assert.ok(second.kind === "conflict" || revisions[1]! < revisions[0]!, "both were written, the put first");
      assert.equal((await store.get("/b")) === undefined, second.kind === "conflict");
    },
  },
  {
    title: "checks alone answer the current revision and take none",
    async body({ store }) {
      const a = await write(store, "/a", "1");
      assert.deepEqual(await store.transaction([{ op: "check", key: "/a", expected: a }]), {
        kind: "written",
        revision: a,
      });
      assert.equal(await revisionOf(store), a);
    },
  },
  {
    title: "a key twice in a transaction is refused",
    async body({ store }) {
      await rejectsWith(
        store.transaction([
          { op: "put", key: "/a", value: bytes("1"), expected: 0 },
          { op: "put", key: "/a", value: bytes("2"), expected: 0 },
        ]),
        "invalid",
      );
    },
  },
  {
    title: "a watcher receives a transaction in one batch, in the order of its writes",
    async body({ store }) {
      const from = await revisionOf(store);
      const batches: number[] = [];
      const watch = follow(store, { prefix: "/", from }, (events) => events.length > 0 && batches.push(events.length));
      await watch.reach(from);
      const writes = ["/z", "/m", "/a", "/q"].map((key) => ({
        op: "put" as const,
        key,
        value: bytes("1"),
        expected: 0,
      }));
      const result = await store.transaction(writes);
      assert.equal(result.kind, "written");
      const revision = await revisionOf(store);
      await watch.reach(revision);
      assert.deepEqual(
        watch.seen,
        writes.map(({ key }) => `put ${key} = 1 @${revision}`),
      );
      assert.deepEqual(batches, [4]);
      await watch.stop();
    },
  },
  {
    title: "a hundred writes fit in one transaction",
    async body({ store }) {
      const writes = Array.from({ length: 100 }, (_, i) => ({
        op: "put" as const,
        key: `/k${i}`,
        value: bytes(String(i)),
        expected: 0,
      }));
      assert.equal((await store.transaction(writes)).kind, "written");
      assert.equal((await store.range({ prefix: "/", countOnly: true })).count, 100);
    },
  },
];
