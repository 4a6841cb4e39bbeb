import assert from "node:assert/strict";
import { readdir, rm } from "node:fs/promises";
import { systemRuntime } from "@coxswain/runtime";
import { afterEach, beforeEach, describe, it } from "vitest";
import { createTestClock } from "../conformance/index.js";
import { rejectsWith } from "../conformance/writing.js";
import type { KeyRecord, KeyValueStore } from "../contract/key-value-store.js";
import { temporaryDirectory } from "./crash/test-process.js";
import { defragmentLmdbDirectory, openLmdbStore } from "./index.js";

describe("defragmenting a directory", () => {
  let directory: string;
  const open = (): Promise<KeyValueStore> =>
    openLmdbStore({
      directory,
      runtime: systemRuntime({ clock: createTestClock() }),
      compaction: "off",
      reserveBytes: 0,
    });
  beforeEach(async () => {
    directory = await temporaryDirectory();
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  it("gives room back and changes nothing else", async () => {
    let store = await open();
    for (let i = 0; i < 300; i++) await store.put({ key: `/k${i}`, value: new Uint8Array(20_000), expected: 0 });
    for (const { key, revision } of (await store.range({ prefix: "/k1", keysOnly: true })).records)
      await store.delete({ key, expected: revision });
    await store.compact((await store.status()).revision);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const expected = await store.range({ prefix: "" });
    await rejectsWith(defragmentLmdbDirectory(directory), "unavailable");
    await store.close();
    const { beforeBytes, afterBytes } = await defragmentLmdbDirectory(directory);
    assert.ok(afterBytes < beforeBytes * 0.8, `${beforeBytes} → ${afterBytes}`);
    store = await open();
    assert.deepEqual(await store.range({ prefix: "" }), expected);
    await store.close();
    assert.deepEqual(
      (await readdir(directory)).filter((name) => name.includes("partial") || name === "lock"),
      [],
    );
  });

  it("works while the store is written to, read and watched, and loses nothing", async () => {
    let store = await open();
    const lease = await store.leases.grant(60_000);
    const ended = await store.leases.grant(60_000);
    for (let i = 0; i < 300; i++)
      await store.put({ key: `/k${i}`, value: new Uint8Array(20_000).fill(i), expected: 0 });
    for (const { key, revision } of (await store.range({ prefix: "/k1", keysOnly: true })).records)
      await store.delete({ key, expected: revision });
    await store.compact((await store.status()).revision);
    await store.put({ key: "/leased", value: new Uint8Array(1), expected: 0, lease });
    const snapshot = await store.snapshot();
    const expected = (await store.range({ prefix: "/k" })).records;
    const watching = new AbortController();
    const seen: number[] = [];
    const watched = store.watch(
      { prefix: "/w", from: (await store.status()).revision },
      (events) => void seen.push(...events.map(({ revision }) => revision)),
      watching.signal,
    );
    const defragmenting = store.defragment!();
    await rejectsWith(store.defragment!(), "unavailable");
    const finished = new AbortController();
    const written: number[] = [];
    const writing = Promise.all(
      Array.from({ length: 8 }, async (_, writer) => {
        for (let i = 0; !finished.signal.aborted || i < 50; i++) {
          const result = await store.put({ key: `/w${writer}-${i}`, value: new Uint8Array(3000).fill(i), expected: 0 });
          assert.equal(result.kind, "written");
          if (result.kind === "written") written.push(result.revision);
        }
      }),
    );
    await store.leases.revoke(ended);
    await defragmenting;
    finished.abort();
    await writing;
    // What was open before reads on in the old file; what comes now reads the new one.
    const inSnapshot: KeyRecord[] = [];
    for await (const records of snapshot.batches()) inSnapshot.push(...records);
    assert.deepEqual(
      inSnapshot.filter(({ key }) => key.startsWith("/k")),
      expected,
    );
    await snapshot.close();
    assert.deepEqual((await store.range({ prefix: "/k" })).records, expected);
    watching.abort();
    await watched;
    assert.deepEqual(
      seen,
      written.toSorted((a, b) => a - b),
    );
    const everything = await store.range({ prefix: "" });
    await store.close();
    store = await open();
    assert.deepEqual(await store.range({ prefix: "" }), everything);
    assert.equal(await store.leases.keepAlive(lease), true);
    assert.equal(await store.leases.keepAlive(ended), false);
    await store.close();
    assert.deepEqual(
      (await readdir(directory)).filter((name) => name.includes("partial")),
      [],
    );
  });

  it("gives room back right after a compaction, which it finishes first", async () => {
    const store = await open();
    for (let i = 0; i < 200; i++) await store.put({ key: `/k${i}`, value: new Uint8Array(20_000), expected: 0 });
    for (const { key, revision } of (await store.range({ prefix: "/k1", keysOnly: true })).records)
      await store.delete({ key, expected: revision });
    await store.compact((await store.status()).revision);
    const { beforeBytes, afterBytes } = await store.defragment!();
    assert.ok(afterBytes < beforeBytes * 0.6, `${beforeBytes} → ${afterBytes}`);
    assert.equal((await store.status()).sizeBytes, afterBytes);
    await store.close();
  });

  it("goes on compacting and writing afterwards, and does it again", async () => {
    const store = await open();
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 50; i++) {
        const current = await store.get(`/k${i}`);
        await store.put({ key: `/k${i}`, value: new Uint8Array(5000).fill(round), expected: current?.revision ?? 0 });
      }
      await store.compact((await store.status()).revision);
      await store.defragment!();
    }
    assert.equal(
      (await store.range({ prefix: "/k" })).records.every(({ value }) => value[0] === 2),
      true,
    );
    await store.close();
  });

  it("is given up when the store is closed, and leaves nothing behind", async () => {
    const store = await open();
    for (let i = 0; i < 50; i++) await store.put({ key: `/k${i}`, value: new Uint8Array(5000), expected: 0 });
    const defragmenting = store.defragment!();
    const refused = rejectsWith(defragmenting, "closed");
    await store.close();
    await refused;
    assert.deepEqual(
      (await readdir(directory)).filter((name) => name.includes("partial") || name === "lock"),
      [],
    );
    const again = await open();
    assert.equal((await again.status()).keys, 50);
    await again.close();
  });

  it("needs a store", async () => {
    await rejectsWith(defragmentLmdbDirectory(directory), "unreadable");
  });
});
