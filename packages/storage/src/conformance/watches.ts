import assert from "node:assert/strict";
import { append } from "@coxswain/apimachinery/append";
import type { KeyEvent } from "../contract/key-value-store.js";
import { bytes, text } from "./bytes.js";
import { follow } from "./follow.js";
import type { Check } from "./store-under-test.js";
import { remove, revisionOf, write } from "./writing.js";

export const watchChecks: readonly Check[] = [
  {
    title: "a watch delivers puts and deletes with what stood there before",
    async body({ store }) {
      const from = await revisionOf(store);
      const events: KeyEvent[] = [];
      const watch = follow(store, { prefix: "/", from }, (batch) => append(events, batch));
      const a = await write(store, "/a", "1");
      const b = await write(store, "/a", "2", a);
      const c = await remove(store, "/a", b);
      await watch.reach(c);
      const pairs = events.map(({ type, revision, record, previous }) => [
        type,
        revision,
        text(record?.value),
        text(previous?.value),
      ]);
      assert.deepEqual(pairs, [
        ["put", a, "1", undefined],
        ["put", b, "2", "1"],
        ["delete", c, undefined, "2"],
      ]);
      assert.deepEqual(
        [events[1]?.record?.version, events[1]?.record?.createRevision, events[1]?.previous?.revision],
        [2, a, a],
      );
      await watch.stop();
    },
  },
  {
    title: "a watch from the past replays, then goes on live, without a gap",
    async body({ store }) {
      const from = await revisionOf(store);
      const expected: string[] = [];
      for (let i = 0; i < 30; i++) expected.push(`put /old/${i} = ${i} @${await write(store, `/old/${i}`, String(i))}`);
      const watch = follow(store, { prefix: "/", from });
      for (let i = 0; i < 30; i++) expected.push(`put /new/${i} = ${i} @${await write(store, `/new/${i}`, String(i))}`);
      await watch.reach(await revisionOf(store));
      assert.deepEqual(watch.seen, expected);
      await watch.stop();
    },
  },
  {
    title: "a watch sees only its prefix and later revisions only",
    async body({ store }) {
      const a = await write(store, "/a/1", "before");
      const watch = follow(store, { prefix: "/a/", from: a });
      await write(store, "/b/1", "other");
      const revision = await write(store, "/a/2", "mine");
      await watch.reach(revision);
      assert.deepEqual(watch.seen, [`put /a/2 = mine @${revision}`]);
      await watch.stop();
    },
  },
  {
    title: "the progress of a watch reaches the store's revision when there are no events",
    async body({ store }) {
      const from = await write(store, "/other", "1");
      const watch = follow(store, { prefix: "/mine/", from });
      await watch.reach(from);
      const later = await write(store, "/other", "2", from);
      await watch.reach(later);
      assert.deepEqual(watch.seen, []);
      await watch.stop();
    },
  },
  {
    title: "a writer that has its answer finds its event delivered",
    async body({ store }) {
      const from = await revisionOf(store);
      const watch = follow(store, { prefix: "/", from });
      await watch.reach(from);
      for (let i = 0; i < 20; i++) {
        const revision = await write(store, `/k${i}`, "v");
        assert.equal(watch.progress() >= revision, true, `answered at ${revision}, watcher at ${watch.progress()}`);
      }
      await watch.stop();
    },
  },
  {
    title: "an aborted watch resolves and delivers nothing more",
    async body({ store }) {
      const from = await revisionOf(store);
      const watch = follow(store, { prefix: "/", from });
      const a = await write(store, "/a", "1");
      await watch.reach(a);
      await watch.stop();
      await write(store, "/b", "1");
      assert.deepEqual(watch.seen, [`put /a = 1 @${a}`]);
      await store.watch({ prefix: "/", from }, () => assert.fail("never called"), AbortSignal.abort());
    },
  },
  {
    title: "a watch that aborts itself inside a batch gets no other one",
    async body({ store }) {
      const from = await revisionOf(store);
      const aborting = new AbortController();
      let called = 0;
      const ended = store.watch(
        { prefix: "/", from },
        (events) => {
          if (events.length === 0) return;
          called += 1;
          aborting.abort();
        },
        aborting.signal,
      );
      for (let i = 0; i < 5; i++) await write(store, `/k${i}`, "v");
      await ended;
      assert.equal(called, 1);
    },
  },
  {
    title: "a watcher may write from within a batch",
    async body({ store }) {
      const from = await revisionOf(store);
      const answers: Promise<unknown>[] = [];
      const watch = follow(store, { prefix: "/in/", from }, (events) => {
        for (const { key } of events)
          answers.push(store.put({ key: key.replace("/in/", "/out/"), value: bytes("echo"), expected: 0 }));
      });
      for (let i = 0; i < 5; i++) await watch.reach(await write(store, `/in/${i}`, "v"));
      await Promise.all(answers);
      assert.equal((await store.range({ prefix: "/out/", countOnly: true })).count, 5);
      await watch.stop();
    },
  },
  {
    title: "many watchers each see everything once, in order",
    async body({ store }) {
      const from = await revisionOf(store);
      const watches = Array.from({ length: 20 }, () => follow(store, { prefix: "/", from }));
      const expected: string[] = [];
      for (let i = 0; i < 25; i++) expected.push(`put /k${i} = v @${await write(store, `/k${i}`, "v")}`);
      const revision = await revisionOf(store);
      for (const watch of watches) {
        await watch.reach(revision);
        assert.deepEqual(watch.seen, expected);
        await watch.stop();
      }
    },
  },
  {
    title: "a watch from the future begins when it comes",
    async body({ store }) {
      const from = await revisionOf(store);
      const watch = follow(store, { prefix: "/", from: from + 2 });
      const revisions: number[] = [];
      for (let i = 0; i < 4; i++) revisions.push(await write(store, `/k${i}`, "v"));
      await watch.reach(revisions.at(-1)!);
      assert.deepEqual(
        watch.seen,
        revisions.flatMap((revision, i) => (revision > from + 2 ? [`put /k${i} = v @${revision}`] : [])),
      );
      await watch.stop();
    },
  },
  {
    title: "thousands of old events are replayed whole while others write",
    async body({ store }) {
      const from = await revisionOf(store);
      for (let i = 0; i < 40; i++) {
        await store.transaction(
          Array.from({ length: 50 }, (_, j) => ({ op: "put", key: `/k/${i}/${j}`, value: bytes("v"), expected: 0 })),
        );
      }
      const watch = follow(store, { prefix: "/k/", from });
      let last = 0;
      for (let i = 0; i < 20; i++) last = await write(store, `/k/new/${i}`, "v");
      await watch.reach(last);
      assert.equal(watch.seen.length, 2020);
      assert.equal(new Set(watch.seen).size, 2020);
      await watch.stop();
    },
  },
];
