import assert from "node:assert/strict";
import { bytes, text } from "./bytes.js";
import type { Check } from "./store-under-test.js";
import { remove, write } from "./writing.js";

export const historyChecks: readonly Check[] = [
  {
    title: "the history of a key is newest first, deletions and earlier lives included",
    async body({ store }) {
      const a = await write(store, "/a", "1");
      await write(store, "/b", "other");
      const b = await write(store, "/a", "2", a);
      const c = await remove(store, "/a", b);
      await write(store, "/ab", "other");
      const d = await write(store, "/a", "3");
      const history = await store.history("/a");
      assert.deepEqual(
        history.map(({ type, revision, value }) => [type, revision, text(value)]),
        [
          ["put", d, "3"],
          ["delete", c, undefined],
          ["put", b, "2"],
          ["put", a, "1"],
        ],
      );
      assert.deepEqual(
        (await store.history("/a", { limit: 2 })).map(({ revision }) => revision),
        [d, c],
      );
      assert.deepEqual(await store.history("/nobody"), []);
    },
  },
  {
    title: "the history of a deleted key is still there",
    async body({ store }) {
      const a = await write(store, "/a", "1");
      const b = await remove(store, "/a", a);
      assert.deepEqual(
        (await store.history("/a")).map(({ revision }) => revision),
        [b, a],
      );
    },
  },
  {
    title: "history goes back to what stood at the compaction",
    async body({ store }) {
      const a = await write(store, "/a", "1");
      const b = await write(store, "/a", "2", a);
      const other = await write(store, "/b", "1");
      const c = await write(store, "/a", "3", b);
      await store.compact(other);
      assert.deepEqual(
        (await store.history("/a")).map(({ revision }) => revision),
        [c, b],
      );
      assert.deepEqual(
        (await store.history("/b")).map(({ revision }) => revision),
        [other],
      );
    },
  },
  {
    title: "history has the notes of the writes",
    async body({ store }) {
      const note = { time: 1_700_000_000_000, user: "alice", verb: "create", manager: "kubectl" };
      const put = await store.put({ key: "/a", value: bytes("1"), expected: 0, note });
      await store.delete({
        key: "/a",
        expected: put.kind === "written" ? put.revision : 0,
        note: { time: 5, user: "bob" },
      });
      const history = await store.history("/a");
      assert.deepEqual(
        history.map((entry) => entry.note),
        [{ time: 5, user: "bob" }, note],
      );
    },
  },
];
