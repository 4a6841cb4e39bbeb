import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { copyFile, mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { systemRuntime } from "@coxswain/runtime";
import type { Clock } from "@coxswain/runtime/clock";
import { afterEach, beforeEach, describe, it } from "vitest";
import { bytes, text } from "../conformance/bytes.js";
import { createTestClock } from "../conformance/index.js";
import { rejectsWith, write } from "../conformance/writing.js";
import type { KeyRecord, KeyValueStore, StoreSnapshot } from "../contract/key-value-store.js";
import { temporaryDirectory } from "./crash/test-process.js";
import { Environment } from "./environment.js";
import { type CommitSeam, defragmentLmdbDirectory, type LmdbStoreOptions, openLmdbStore } from "./index.js";
import { pageBytes } from "./wal/wal-record.js";

/** A clock that can be asked how many timers it has. */
function countingClock(): { clock: ReturnType<typeof createTestClock>; timers: () => number } {
  const clock = createTestClock();
  const active = new Set<object>();
  const counting: Clock["setTimer"] = (ms, fire) => {
    const mine = {};
    active.add(mine);
    const timer = clock.setTimer(ms, () => {
      active.delete(mine);
      fire();
    });
    return {
      cancel: () => {
        active.delete(mine);
        timer.cancel();
      },
    };
  };
  return { clock: { ...clock, setTimer: counting }, timers: () => active.size };
}

const seen = (records: readonly KeyRecord[]): string[] =>
  records.map(({ key, value, revision }) => `${key}=${text(value)}@${revision}`);

async function all(snapshot: StoreSnapshot): Promise<string[]> {
  const found: string[] = [];
  for await (const records of snapshot.batches()) found.push(...seen(records));
  return found;
}

describe("what is in the write-ahead log and not yet in the file", () => {
  let root: string;
  let directory: string;
  let store: KeyValueStore;
  let { clock, timers } = countingClock();
  const open = (options: Partial<LmdbStoreOptions> = {}): Promise<KeyValueStore> =>
    openLmdbStore({
      directory,
      runtime: systemRuntime({ clock }),
      compaction: "off",
      reserveBytes: 0,
      ...options,
      seams: { walFirst: true, ...options.seams },
    });
  const contents = async (of = store): Promise<string[]> => seen((await of.range({ prefix: "" })).records);
  /** The newest revision in the file itself. */
  const inFile = (at: string): number => {
    const env = new Environment(join(at, "data.mdb"));
    env.openTables();
    const found = env.newest()?.revision ?? 0;
    void env.close();
    return found;
  };
  /** The directory as a process leaves it that is ended now. */
  async function endedNow(): Promise<string> {
    const copy = join(root, "ended");
    await mkdir(copy);
    for (const name of ["data.mdb", "data.wal"]) await copyFile(join(directory, name), join(copy, name));
    return copy;
  }

  beforeEach(async () => {
    ({ clock, timers } = countingClock());
    root = await temporaryDirectory();
    directory = join(root, "store");
    store = await open();
    // The first write begins the log.
    await write(store, "/first", "1");
  });
  afterEach(async () => {
    await store.close();
    await rm(root, { recursive: true, force: true });
  });

  it("is there after the process was killed", async () => {
    const revision = await write(store, "/a", "2", await write(store, "/a", "1"));
    const lease = await store.leases.grant(60_000);
    const expected = await contents();
    const ended = await endedNow();
    assert.ok(inFile(ended) < revision);
    const again = await open({ directory: ended });
    assert.deepEqual(await contents(again), expected);
    assert.equal((await again.status()).revision, revision);
    assert.equal(await again.leases.keepAlive(lease), true);
    assert.equal(await write(again, "/b", "1"), revision + 1);
    await again.close();
  });

  it("goes into the file after two seconds, and then there is no timer", async () => {
    assert.equal(timers(), 0);
    const revision = await write(store, "/a", "1");
    assert.equal(timers(), 1);
    await clock.advance(1999);
    assert.ok(inFile(await endedNow()) < revision);
    await clock.advance(1);
    while (timers() > 0 || inFile(directory) < revision) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.deepEqual(await contents(), ["/a=1@3", "/first=1@2"]);
  });

  it("goes into the file with a compaction, and then there is no timer", async () => {
    const revision = await write(store, "/a", "1");
    assert.equal(timers(), 1);
    await store.compact(revision);
    assert.equal(timers(), 0);
    assert.equal(inFile(await endedNow()), revision);
  });

  it("goes into the file when it is much", async () => {
    for (let i = 0; i < 300; i++) await write(store, `/k${i}`, "x".repeat(3000));
    while (inFile(directory) < 150) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal((await store.status()).keys, 301);
  });

  it("goes into the file when the store is closed", async () => {
    const revision = await write(store, "/a", "1");
    await store.close();
    assert.equal(inFile(directory), revision);
    await rm(join(directory, "data.wal"));
    store = await open();
    assert.deepEqual(await contents(), ["/a=1@3", "/first=1@2"]);
  });

  it("is kept for a snapshot, however often it is replaced, compacted and written over meanwhile", async () => {
    let last = await write(store, "/a", "1");
    const snapshot = await store.snapshot();
    const expected = await contents();
    for (let i = 0; i < 400; i++) last = await write(store, "/a", `${i}-${"x".repeat(2000)}`, last);
    await store.compact(last);
    await new Promise((resolve) => setTimeout(resolve, 100));
    for (let i = 0; i < 400; i++) last = await write(store, "/a", `${i}-${"y".repeat(2000)}`, last);
    assert.deepEqual(await all(snapshot), expected);
    await snapshot.close();
  });

  it("is in the file that a defragmentation writes, or in the log behind it", async () => {
    for (let i = 0; i < 30; i++) await write(store, `/k${i}`, "v");
    await store.defragment!();
    await write(store, "/after", "1");
    const expected = await contents();
    const again = await open({ directory: await endedNow() });
    assert.deepEqual(await contents(again), expected);
    await again.close();
  });

  it("survives a defragmentation of a directory that was not closed", async () => {
    await write(store, "/a", "1");
    const expected = await contents();
    const ended = await endedNow();
    await defragmentLmdbDirectory(ended);
    const again = await open({ directory: ended });
    assert.deepEqual(await contents(again), expected);
    await again.close();
  });

  it("does not go into a file that it does not belong to", async () => {
    await store.close();
    // Both lives begin with the same file, and what one of them wrote last stands in its log only.
    const older = join(root, "older.mdb");
    await copyFile(join(directory, "data.mdb"), older);
    store = await open();
    await write(store, "/b", "1");
    await write(store, "/b", "2", 3);
    const ended = await endedNow();
    await rename(older, join(ended, "data.mdb"));
    const again = await open({ directory: ended });
    assert.deepEqual(await contents(again), ["/first=1@2"]);
    await write(again, "/c", "1");
    await write(again, "/c", "2", 3);
    assert.deepEqual(await contents(again), ["/c=2@4", "/first=1@2"]);
    await again.close();
  });

  it("is not opened without a record that is damaged, and is without all of them when the log is moved away", async () => {
    for (let i = 0; i < 5; i++) await write(store, `/k${i}`, "v");
    const ended = await endedNow();
    const wal = join(ended, "data.wal");
    const file = readFileSync(wal);
    file.fill(7, 2 * pageBytes, 3 * pageBytes);
    writeFileSync(wal, file);
    await rejectsWith(open({ directory: ended }), "unreadable");
    await assert.rejects(
      open({ directory: ended }),
      /record 3 of the write-ahead log is damaged, and record \d follows it/,
    );
    await rm(wal);
    const again = await open({ directory: ended });
    assert.deepEqual(await contents(again), ["/first=1@2"]);
    await again.close();
  });

  it("does not become more than there is room for: writers wait for the file", async () => {
    await store.close();
    let held: (() => void)[] | undefined;
    const hold: CommitSeam = async (commit, where) => {
      if (where === "file" && held !== undefined) await new Promise<void>((resolve) => held!.push(resolve));
      await commit();
    };
    store = await open({ reserveBytes: 4 * 1024 * 1024, seams: { commit: hold } });
    // Once the reserve is made the log is used.
    while (
      inFile(directory) > 0 &&
      (await write(store, "/b", "x", (await store.get("/b"))?.revision ?? 0)) === inFile(directory)
    )
      await new Promise((resolve) => setTimeout(resolve, 5));
    held = [];
    let written = 0;
    const value = bytes("x".repeat(50_000));
    const writing = Array.from({ length: 100 }, async (_, i) => {
      for (let j = 0; j < 2; j++) {
        await store.put({ key: `/k${i}-${j}`, value, expected: 0 });
        written += value.length;
      }
    });
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.ok(written < 2 * 1024 * 1024, `${written} bytes were answered while nothing went into the file`);
    const waiting = held;
    held = undefined;
    for (const resolve of waiting) resolve();
    await Promise.all(writing);
    assert.equal((await store.status()).keys, 202);
  });
});
