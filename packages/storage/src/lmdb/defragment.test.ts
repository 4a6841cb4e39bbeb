import assert from "node:assert/strict";
import { readdir, rm } from "node:fs/promises";
import { afterEach, beforeEach, describe, it } from "vitest";
import { createTestClock } from "../conformance/index.js";
import { rejectsWith } from "../conformance/writing.js";
import type { KeyValueStore } from "../key-value-store.js";
import { temporaryDirectory } from "./crash/test-process.js";
import { defragmentLmdbDirectory, openLmdbStore } from "./index.js";

describe("defragmenting a directory", () => {
  let directory: string;
  const open = (): Promise<KeyValueStore> => openLmdbStore({ directory, clock: createTestClock(), compaction: "off", reserveBytes: 0 });
  beforeEach(async () => {
    directory = await temporaryDirectory();
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  it("gives room back and changes nothing else", async () => {
    let store = await open();
    for (let i = 0; i < 300; i++) await store.put({ key: `/k${i}`, value: new Uint8Array(20_000), expected: 0 });
    for (const { key, revision } of (await store.range({ prefix: "/k1", keysOnly: true })).records) await store.delete({ key, expected: revision });
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
    assert.deepEqual((await readdir(directory)).filter((name) => name.includes("partial") || name === "lock"), []);
  });

  it("needs a store", async () => {
    await rejectsWith(defragmentLmdbDirectory(directory), "unreadable");
  });
});
