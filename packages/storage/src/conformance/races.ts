import assert from "node:assert/strict";
import { macrotask } from "@coxswain/runtime/event-loop";
import type { KeyValueStore } from "../contract/key-value-store.js";
import { bytes, text } from "./bytes.js";
import { follow } from "./follow.js";
import type { Check } from "./store-under-test.js";
import { revisionOf, write } from "./writing.js";

/** Adds one to a counter as a client would: read, write, and again when somebody was faster. Returns how often it lost. */
async function increment(store: KeyValueStore, key: string): Promise<number> {
  let current = await store.get(key);
  for (let lost = 0; ; lost++) {
    const value = bytes(String(Number(text(current?.value) ?? "0") + 1));
    const result = await store.put({ key, value, expected: current?.revision ?? 0 });
    if (result.kind === "written") return lost;
    current = result.current;
  }
}

export const raceChecks: readonly Check[] = [
  {
    title: "of many creates of one key at once, one wins and all others see it",
    async body({ store }) {
      const results = await Promise.all(
        Array.from({ length: 50 }, (_, i) => store.put({ key: "/a", value: bytes(String(i)), expected: 0 })),
      );
      const winners = results.filter(({ kind }) => kind === "written");
      assert.equal(winners.length, 1);
      const { revision } = (await store.get("/a"))!;
      for (const result of results) if (result.kind === "conflict") assert.equal(result.current?.revision, revision);
    },
  },
  {
    title: "a conflict shows a record that can be read: the winner is durable before the loser is answered",
    async body({ store }) {
      for (let i = 0; i < 10; i++) {
        const key = `/k${i}`;
        const contenders = Array.from({ length: 8 }, (_, j) =>
          store.put({ key, value: bytes(String(j)), expected: 0 }),
        );
        await Promise.all(
          contenders.map(async (contender) => {
            const result = await contender;
            if (result.kind !== "conflict") return;
            const seen = await store.get(key);
            assert.ok(result.current !== undefined && seen !== undefined && seen.revision >= result.current.revision);
          }),
        );
      }
    },
  },
  {
    title: "no increment of a contended counter is lost",
    async body({ store }) {
      await Promise.all(
        Array.from({ length: 10 }, async () => {
          for (let i = 0; i < 10; i++) await increment(store, "/counter");
        }),
      );
      const { value, version } = (await store.get("/counter"))!;
      assert.deepEqual([text(value), version], ["100", 100]);
    },
  },
  {
    title: "concurrent writers get revisions of their own, and a watcher sees them in order",
    async body({ store }) {
      const from = await revisionOf(store);
      const watch = follow(store, { prefix: "/", from });
      const revisions = await Promise.all(Array.from({ length: 200 }, (_, i) => write(store, `/k${i}`, String(i))));
      assert.equal(new Set(revisions).size, 200);
      await watch.reach(Math.max(...revisions));
      const expected = revisions
        .map((revision, i) => ({ revision, line: `put /k${i} = ${i} @${revision}` }))
        .sort((a, b) => a.revision - b.revision);
      assert.deepEqual(
        watch.seen,
        expected.map(({ line }) => line),
      );
      await watch.stop();
    },
  },
  {
    title: "a transfer between two keys never makes or loses anything, whenever one looks",
    async body({ store }) {
      await write(store, "/left", "100");
      await write(store, "/right", "0");
      const moving = new AbortController();
      const looking = (async () => {
        while (!moving.signal.aborted) {
          const { records } = await store.range({ prefix: "/" });
          assert.equal(
            records.reduce((sum, { value }) => sum + Number(text(value)), 0),
            100,
          );
          await macrotask();
        }
      })();
      for (let moved = 0; moved < 30; ) {
        const [left, right] = await Promise.all([store.get("/left"), store.get("/right")]);
        const result = await store.transaction([
          { op: "put", key: "/left", value: bytes(String(Number(text(left!.value)) - 1)), expected: left!.revision },
          { op: "put", key: "/right", value: bytes(String(Number(text(right!.value)) + 1)), expected: right!.revision },
        ]);
        if (result.kind === "written") moved += 1;
        await macrotask();
      }
      moving.abort();
      await looking;
    },
  },
  {
    title: "watchers that start at any moment among writes have no gap and no double",
    async body({ store }) {
      const from = await revisionOf(store);
      const watches: ReturnType<typeof follow>[] = [];
      const writing = (async () => {
        for (let i = 0; i < 60; i++) await Promise.all([write(store, `/a${i}`, "v"), write(store, `/b${i}`, "v")]);
      })();
      for (let i = 0; i < 12; i++) {
        watches.push(follow(store, { prefix: "/", from }));
        await new Promise((resolve) => setTimeout(resolve, i % 3));
      }
      await writing;
      const revision = await revisionOf(store);
      const whole = follow(store, { prefix: "/", from });
      await whole.reach(revision);
      assert.equal(whole.seen.length, 120);
      for (const watch of watches) {
        await watch.reach(revision);
        assert.deepEqual(watch.seen, whole.seen);
        await watch.stop();
      }
      await whole.stop();
    },
  },
  {
    title: "a slow watcher delays nobody's events for good",
    async body({ store }) {
      const from = await revisionOf(store);
      const slow = follow(store, { prefix: "/", from }, () => {
        for (const until = performance.now() + 2; performance.now() < until; );
      });
      const quick = follow(store, { prefix: "/", from });
      const revisions = await Promise.all(Array.from({ length: 40 }, (_, i) => write(store, `/k${i}`, "v")));
      const last = Math.max(...revisions);
      await Promise.all([slow.reach(last), quick.reach(last)]);
      assert.deepEqual(slow.seen, quick.seen);
      await Promise.all([slow.stop(), quick.stop()]);
    },
  },
];
