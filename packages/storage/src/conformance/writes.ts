import assert from "node:assert/strict";
import { bytes, text } from "./bytes.js";
import type { Check } from "./store-under-test.js";
import { rejectsWith, remove, revisionOf, write } from "./writing.js";

export const writeChecks: readonly Check[] = [
  {
    title: "an empty store has a revision, no keys and no record",
    async body({ store }) {
      const { revision, keys, readOnly } = await store.status();
      assert.ok(revision >= 1);
      assert.deepEqual({ keys, readOnly }, { keys: 0, readOnly: undefined });
      assert.equal(await store.get("/a"), undefined);
    },
  },
  {
    title: "a put of a new key takes the next revision and can be read at once",
    async body({ store }) {
      const before = await revisionOf(store);
      const revision = await write(store, "/a", "1");
      assert.ok(revision > before);
      const record = await store.get("/a");
      assert.deepEqual(
        { ...record, value: text(record?.value) },
        { key: "/a", value: "1", revision, createRevision: revision, version: 1 },
      );
      assert.equal(await revisionOf(store), revision);
    },
  },
  {
    title: "a second create of the same key is a conflict with what is there",
    async body({ store }) {
      const revision = await write(store, "/a", "1");
      const result = await store.put({ key: "/a", value: bytes("2"), expected: 0 });
      assert.equal(result.kind, "conflict");
      assert.equal(result.kind === "conflict" && result.current?.revision, revision);
      assert.equal(await revisionOf(store), revision, "a conflict takes no revision");
    },
  },
  {
    title: "an update keeps the create revision and counts versions",
    async body({ store }) {
      const created = await write(store, "/a", "1");
      const updated = await write(store, "/a", "2", created);
      const { revision, createRevision, version, value } = (await store.get("/a"))!;
      assert.deepEqual(
        { revision, createRevision, version, value: text(value) },
        { revision: updated, createRevision: created, version: 2, value: "2" },
      );
    },
  },
  {
    title: "an update that expects an old revision is a conflict with the new one",
    async body({ store }) {
      const first = await write(store, "/a", "1");
      const second = await write(store, "/a", "2", first);
      const result = await store.put({ key: "/a", value: bytes("3"), expected: first });
      assert.equal(result.kind, "conflict");
      assert.deepEqual(result.kind === "conflict" && [result.current?.revision, text(result.current?.value)], [
        second,
        "2",
      ]);
    },
  },
  {
    title: "an update of a key that is not there is a conflict with nothing",
    async body({ store }) {
      const result = await store.put({ key: "/a", value: bytes("1"), expected: 7 });
      assert.deepEqual(result, { kind: "conflict", current: undefined });
    },
  },
  {
    title: "a delete answers what was there and takes a revision",
    async body({ store }) {
      const created = await write(store, "/a", "1");
      const result = await store.delete({ key: "/a", expected: created });
      assert.equal(result.kind, "deleted");
      if (result.kind !== "deleted") return;
      assert.ok(result.revision > created);
      assert.deepEqual([text(result.previous.value), result.previous.revision], ["1", created]);
      assert.equal(await store.get("/a"), undefined);
      assert.equal((await store.status()).keys, 0);
    },
  },
  {
    title: "a delete of what is not there is a conflict with nothing, also when nothing was expected",
    async body({ store }) {
      assert.deepEqual(await store.delete({ key: "/a", expected: 0 }), { kind: "conflict", current: undefined });
      assert.deepEqual(await store.delete({ key: "/a", expected: 3 }), { kind: "conflict", current: undefined });
    },
  },
  {
    title: "a delete that expects an old revision is a conflict",
    async body({ store }) {
      const first = await write(store, "/a", "1");
      const second = await write(store, "/a", "2", first);
      const result = await store.delete({ key: "/a", expected: first });
      assert.equal(result.kind === "conflict" && result.current?.revision, second);
      const zero = await store.delete({ key: "/a", expected: 0 });
      assert.equal(zero.kind, "conflict");
    },
  },
  {
    title: "a key that is created again begins anew",
    async body({ store }) {
      const deleted = await remove(store, "/a", await write(store, "/a", "1"));
      const created = await write(store, "/a", "2");
      assert.ok(created > deleted);
      const { createRevision, version } = (await store.get("/a"))!;
      assert.deepEqual({ createRevision, version }, { createRevision: created, version: 1 });
    },
  },
  {
    title: "values are any bytes: none, all 256, a megabyte",
    async body({ store }) {
      const all = Uint8Array.from({ length: 256 }, (_, i) => i);
      const large = new Uint8Array(1_000_000).map((_, i) => i % 251);
      for (const [i, value] of [new Uint8Array(0), all, large, all.subarray(13, 17)].entries()) {
        await store.put({ key: `/v${i}`, value, expected: 0 });
        assert.deepEqual(Buffer.from((await store.get(`/v${i}`))!.value), Buffer.from(value));
      }
    },
  },
  {
    title: "keys are any well-formed text, distinguished to the last character",
    async body({ store }) {
      const keys = [
        "/",
        "/a",
        "/a/",
        "/a/b",
        "/A",
        "/ä",
        "/a\u0308",
        "/\u{1f600}",
        "/\uffff",
        "__proto__",
        "constructor",
        "/line\nbreak",
        `/${"x".repeat(1500)}`,
        `/${"x".repeat(1500)}y`,
      ];
      for (const [i, key] of keys.entries()) await write(store, key, String(i));
      for (const [i, key] of keys.entries())
        assert.equal(text((await store.get(key))?.value), String(i), JSON.stringify(key.slice(0, 20)));
    },
  },
  {
    title: "a key that is empty or no text is refused",
    async body({ store }) {
      await rejectsWith(store.put({ key: "", value: bytes("1"), expected: 0 }), "invalid");
      await rejectsWith(store.put({ key: "/\ud800", value: bytes("1"), expected: 0 }), "invalid");
    },
  },
  {
    title: "a write that was aborted before it began rejects with the reason and leaves nothing",
    async body({ store }) {
      const reason = new Error("no longer wanted");
      await assert.rejects(store.put({ key: "/a", value: bytes("1"), expected: 0 }, AbortSignal.abort(reason)), reason);
      assert.equal(await store.get("/a"), undefined);
    },
  },
  {
    title: "the read revision is never behind an acknowledged write",
    async body({ store }) {
      for (let i = 0; i < 20; i++) {
        const revision = await write(store, `/k${i}`, "v");
        assert.ok((await store.readRevision()) >= revision);
      }
    },
  },
];
