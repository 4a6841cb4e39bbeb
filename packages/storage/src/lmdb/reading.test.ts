import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { systemRuntime } from "@coxswain/runtime";
import { afterEach, beforeEach, describe, it } from "vitest";
import { createTestClock } from "../conformance/index.js";
import { rejectsWith, write } from "../conformance/writing.js";
import type { KeyEvent, KeyValueStore } from "../contract/key-value-store.js";
import { temporaryDirectory } from "./crash/test-process.js";
import { openLmdbStore } from "./index.js";

describe("a reader of the embedded store", () => {
  let directory: string;
  let store: KeyValueStore;
  beforeEach(async () => {
    directory = await temporaryDirectory();
    store = await openLmdbStore({
      directory,
      runtime: systemRuntime({ clock: createTestClock() }),
      compaction: "off",
      reserveBytes: 0,
    });
  });
  afterEach(async () => {
    await store.close();
    await rm(directory, { recursive: true, force: true });
  });

  const fill = async (keys: number, size: number): Promise<void> => {
    for (let from = 0; from < keys; from += 50)
      await store.transaction(
        Array.from({ length: 50 }, (_, i) => ({
          op: "put",
          key: `/k/${from + i}`,
          value: new Uint8Array(size),
          expected: 0,
        })),
      );
  };

  it("gets an error when the store closes in the middle of its range", async () => {
    await fill(400, 50_000);
    const reading = store.range({ prefix: "/k/" });
    reading.catch(() => undefined);
    await new Promise((resolve) => setImmediate(resolve));
    await store.close();
    await rejectsWith(reading, "closed");
  });

  it("gets an error when the store closes under its snapshot", async () => {
    await fill(400, 100);
    const snapshot = await store.snapshot();
    await store.close();
    await rejectsWith(
      (async () => {
        for await (const records of snapshot.batches()) assert.ok(records.length > 0);
      })(),
      "closed",
    );
    await snapshot.close();
  });

  it("finds nothing before an event once the store is closed", async () => {
    const events: KeyEvent[] = [];
    const watching = new AbortController();
    void store.watch({ prefix: "/", from: 1 }, (batch) => events.push(...batch), watching.signal);
    await write(store, "/a", "2", await write(store, "/a", "1"));
    await store.close();
    assert.equal(events[1]?.record?.version, 2);
    assert.equal(events[1]?.previous, undefined);
  });

  it("may be one of hundreds that each span several iterations of the event loop", async () => {
    await fill(200, 50_000);
    const results = await Promise.all(Array.from({ length: 200 }, () => store.range({ prefix: "/k/" })));
    assert.ok(results.every(({ records }) => records.length === 200));
  });

  it("in the past is right or refused, while compaction goes on behind it", { timeout: 60_000 }, async () => {
    let last = 0;
    const revisions: number[] = [];
    for (let i = 0; i < 60; i++) {
      last = await write(store, "/counter", String(i), last);
      revisions.push(last);
      for (let j = 0; j < 5; j++) await write(store, `/other/${i}-${j}`, "x");
    }
    const compacting = (async () => {
      for (const revision of revisions) await store.compact(revision);
    })();
    let right = 0;
    for (const [i, at] of revisions.entries()) {
      const answers = await Promise.allSettled([
        store.get("/counter", { at }),
        store.range({ prefix: "/counter", at }).then(({ records }) => records[0]),
      ]);
      for (const answer of answers) {
        if (answer.status === "rejected") assert.equal(answer.reason.reason, "expired");
        else assert.equal(Buffer.from(answer.value?.value ?? []).toString(), String(i));
        right += answer.status === "fulfilled" ? 1 : 0;
      }
    }
    await compacting;
    assert.ok(right > 0);
  });
});
