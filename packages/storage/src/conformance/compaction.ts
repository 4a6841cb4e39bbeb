import assert from "node:assert/strict";
import { text } from "./bytes.js";
import { follow } from "./follow.js";
import type { Check } from "./store-under-test.js";
import { rejectsWith, remove, revisionOf, write } from "./writing.js";

export const compactionChecks: readonly Check[] = [
  {
    title: "what is before the compaction is expired, what is at it and after it is there",
    async body({ store }) {
      const a = await write(store, "/a", "1");
      const b = await write(store, "/a", "2", a);
      const c = await write(store, "/a", "3", b);
      await store.compact(b);
      await rejectsWith(store.get("/a", { at: a }), "expired");
      await rejectsWith(store.range({ prefix: "/", at: a }), "expired");
      assert.equal(text((await store.get("/a", { at: b }))?.value), "2");
      assert.equal(text((await store.range({ prefix: "/", at: c })).records[0]?.value), "3");
      assert.ok((await store.status()).compactedRevision >= b);
    },
  },
  {
    title: "the newest of every key survives a compaction to the end",
    async body({ store }) {
      let last = 0;
      for (let i = 0; i < 20; i++) last = await write(store, `/k${i}`, "first");
      for (let i = 0; i < 10; i++) last = await write(store, `/k${i}`, "second", (await store.get(`/k${i}`))!.revision);
      last = await remove(store, "/k19", (await store.get("/k19"))!.revision);
      await store.compact(last);
      const { records } = await store.range({ prefix: "/" });
      assert.equal(records.length, 19);
      assert.deepEqual(records.map((r) => text(r.value)).filter((v) => v === "second").length, 10);
      assert.equal(await store.get("/k19"), undefined);
    },
  },
  {
    title: "a watch from before the compaction is expired, one from it is not",
    async body({ store }) {
      const a = await write(store, "/a", "1");
      const b = await write(store, "/a", "2", a);
      const c = await write(store, "/a", "3", b);
      const d = await write(store, "/a", "4", c);
      await store.compact(c);
      await rejectsWith(
        store.watch({ prefix: "/", from: a }, () => undefined, new AbortController().signal),
        "expired",
      );
      const watch = follow(store, { prefix: "/", from: c });
      await watch.reach(d);
      assert.deepEqual(watch.seen, [`put /a = 4 @${d}`]);
      await watch.stop();
    },
  },
  {
    title: "a watcher that has caught up does not notice a compaction",
    async body({ store }) {
      const from = await revisionOf(store);
      const watch = follow(store, { prefix: "/", from });
      const expected: string[] = [];
      let last = from;
      for (let i = 0; i < 10; i++) {
        last = await write(store, `/k${i}`, "v");
        expected.push(`put /k${i} = v @${last}`);
        await watch.reach(last);
        await store.compact(last);
      }
      assert.deepEqual(watch.seen, expected);
      await watch.stop();
    },
  },
  {
    title: "an older compaction than the last does nothing, one of the future is refused",
    async body({ store }) {
      const a = await write(store, "/a", "1");
      const b = await write(store, "/b", "1");
      await store.compact(b);
      await store.compact(a);
      await store.compact(b);
      await rejectsWith(store.range({ prefix: "/", at: a }), "expired");
      await rejectsWith(store.compact(b + 10), "future");
    },
  },
  {
    title: "a key deleted before the compaction can be created again",
    async body({ store }) {
      const gone = await remove(store, "/a", await write(store, "/a", "1"));
      await store.compact(gone);
      const again = await write(store, "/a", "2");
      assert.deepEqual((await store.get("/a"))?.version, 1);
      assert.equal((await store.get("/a"))?.createRevision, again);
      assert.equal(await store.get("/a", { at: gone }), undefined);
    },
  },
  {
    title: "a watcher that is overtaken while it catches up gets an error, and misses nothing before",
    async body({ store }) {
      const from = await revisionOf(store);
      const expected: string[] = [];
      for (let i = 0; i < 60; i++) {
        const writes = Array.from({ length: 40 }, (_, j) => ({
          op: "put" as const,
          key: `/k/${i}/${j}`,
          value: new Uint8Array(500),
          expected: 0,
        }));
        const result = await store.transaction(writes);
        assert.equal(result.kind, "written");
        for (const { key } of writes) expected.push(`${key}@${result.kind === "written" && result.revision}`);
      }
      const last = await revisionOf(store);
      const seen: string[] = [];
      const stopping = new AbortController();
      let compacting: Promise<void> | undefined;
      let reached = 0;
      const caughtUp = new Promise<"caught up">((resolve) => {
        const ended = store.watch(
          { prefix: "/k/", from },
          (events, progress) => {
            for (const { key, revision } of events) seen.push(`${key}@${revision}`);
            compacting ??= store.compact(last);
            reached = progress;
            if (progress >= last) resolve("caught up");
          },
          stopping.signal,
        );
        ended.catch((err: unknown) => {
          if (!(err instanceof Error) || !("reason" in err) || err.reason !== "expired") throw err;
          resolve("caught up");
        });
      });
      await caughtUp;
      await compacting;
      stopping.abort();
      // Either it made it to the end, or it was cut; in both cases what it saw is the beginning, without a hole.
      assert.deepEqual(seen, expected.slice(0, seen.length));
      if (reached >= last) assert.equal(seen.length, expected.length);
    },
  },
];
