import assert from "node:assert/strict";
import { bytes, text } from "./bytes.js";
import { follow } from "./follow.js";
import { waitUntilGone } from "./leases.js";
import type { Check } from "./store-under-test.js";
import { rejectsWith, remove, revisionOf, write } from "./writing.js";

export const reopenChecks: readonly Check[] = [
  {
    title: "what was written is there after opening again, and revisions go on",
    needsReopen: true,
    async body({ store, reopen }) {
      const a = await write(store, "/a", "1");
      const b = await write(store, "/a", "2", a);
      const gone = await remove(store, "/b", await write(store, "/b", "1"));
      const again = await reopen!();
      const record = (await again.get("/a"))!;
      assert.deepEqual(
        { ...record, value: text(record.value) },
        { key: "/a", value: "2", revision: b, createRevision: a, version: 2 },
      );
      assert.equal(await again.get("/b"), undefined);
      assert.equal(await revisionOf(again), gone);
      assert.equal(await write(again, "/c", "1"), gone + 1);
      await again.close();
    },
  },
  {
    title: "a watch resumes over a restart",
    needsReopen: true,
    async body({ store, reopen }) {
      const from = await revisionOf(store);
      const a = await write(store, "/a", "1");
      const b = await remove(store, "/a", a);
      const again = await reopen!();
      const watch = follow(again, { prefix: "/", from });
      const c = await write(again, "/a", "2");
      await watch.reach(c);
      assert.deepEqual(watch.seen, [`put /a = 1 @${a}`, `delete /a @${b}`, `put /a = 2 @${c}`]);
      await watch.stop();
      assert.deepEqual(
        (await again.history("/a")).map(({ revision }) => revision),
        [c, b, a],
      );
      assert.equal(text((await again.get("/a", { at: a }))?.value), "1");
      await again.close();
    },
  },
  {
    title: "a compaction holds over a restart",
    needsReopen: true,
    async body({ store, reopen }) {
      const a = await write(store, "/a", "1");
      const b = await write(store, "/a", "2", a);
      await store.compact(b);
      const again = await reopen!();
      await rejectsWith(again.get("/a", { at: a }), "expired");
      assert.equal(text((await again.get("/a", { at: b }))?.value), "2");
      await again.close();
    },
  },
  {
    title: "a lease goes on after a restart, with its keys",
    needsReopen: true,
    async body({ store, reopen, advance }) {
      const lease = await store.leases.grant(3_000);
      await write(store, "/a", "1", 0, lease);
      await write(store, "/kept", "1");
      const again = await reopen!();
      assert.equal(await again.leases.keepAlive(lease), true);
      assert.equal((await again.get("/a"))?.lease, lease);
      assert.notEqual(await again.leases.grant(60_000), lease);
      await waitUntilGone(again, "/a", advance);
      assert.deepEqual(
        (await again.range({ prefix: "/" })).records.map(({ key }) => key),
        ["/kept"],
      );
      await rejectsWith(again.put({ key: "/b", value: bytes("1"), expected: 0, lease }), "lease-gone");
      await again.close();
    },
  },
  {
    title: "thousands of keys come back in order after many changes",
    needsReopen: true,
    async body({ store, reopen }) {
      for (let i = 0; i < 60; i++) {
        await store.transaction(
          Array.from({ length: 50 }, (_, j) => ({
            op: "put",
            key: `/k/${((i * 50 + j) * 7919) % 3000}`,
            value: bytes(`${i}`),
            expected: 0,
          })),
        );
      }
      const before = await store.range({ prefix: "/k/" });
      assert.equal(before.count, 3000);
      for (const { key, revision } of before.records.filter((_, i) => i % 3 === 0)) await remove(store, key, revision);
      const expected = await store.range({ prefix: "" });
      const again = await reopen!();
      assert.deepEqual(await again.range({ prefix: "" }), expected);
      await again.close();
    },
  },
];
