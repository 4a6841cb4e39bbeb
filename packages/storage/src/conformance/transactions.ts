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
