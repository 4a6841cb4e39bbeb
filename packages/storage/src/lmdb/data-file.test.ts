import assert from "node:assert/strict";
import { appendFile, copyFile, mkdir, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemRuntime } from "@coxswain/runtime";
import { open } from "lmdb";
import { afterEach, beforeEach, describe, it } from "vitest";
import { createTestClock } from "../conformance/index.js";
import { rejectsWith, write } from "../conformance/writing.js";
import type { KeyValueStore } from "../contract/key-value-store.js";
import { temporaryDirectory } from "./crash/test-process.js";
import { openLmdbStore } from "./index.js";

describe("a data file that is not a store", () => {
  let directory: string;
  let file: string;
  const openStore = (): Promise<KeyValueStore> =>
    openLmdbStore({
      directory,
      runtime: systemRuntime({ clock: createTestClock() }),
      compaction: "off",
      reserveBytes: 0,
    });
  beforeEach(async () => {
    directory = await temporaryDirectory();
    file = join(directory, "data.mdb");
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  const otherFiles = [
    { name: "some text", bytes: Buffer.from("hello, this is no database") },
    { name: "a long text", bytes: Buffer.from("no database\n".repeat(10_000)) },
    { name: "nothing but zeros", bytes: Buffer.alloc(65_536) },
    { name: "one byte", bytes: Buffer.from("x") },
  ];
  for (const { name, bytes } of otherFiles) {
    it(`is refused when it is ${name}, and can be opened once it is away`, async () => {
      await writeFile(file, bytes);
      await rejectsWith(openStore(), "unreadable");
      await rejectsWith(openStore(), "unreadable");
      await rm(file);
      await (await openStore()).close();
    });
  }

  it("is taken when it is empty: nothing was ever written", async () => {
    await writeFile(file, "");
    await (await openStore()).close();
  });

  it("is refused when its end is missing", async () => {
    const store = await openStore();
    for (let i = 0; i < 300; i++) await store.put({ key: `/k${i}`, value: new Uint8Array(3000), expected: 0 });
    await store.close();
    const { size } = await stat(file);
    await truncate(file, Math.floor(size / 2));
    await assert.rejects(openStore(), /bytes are missing at its end/);
  });

  it("is refused when it is another program's database of the same kind", async () => {
    const other = open({ path: file, overlappingSync: false, noSubdir: true });
    await other.put("theirs", { some: "data" });
    await other.close();
    await assert.rejects(openStore(), /was not written by this program/);
  });

  it("is no store when a directory has its name", async () => {
    await mkdir(file);
    await rejectsWith(openStore(), "unreadable");
  });

  it("is a store when it was copied after closing, with garbage behind its end", async () => {
    const store = await openStore();
    await write(store, "/a", "1");
    await store.close();
    await copyFile(file, join(directory, "copy"));
    await appendFile(file, Buffer.alloc(5000, 7));
    const again = await openStore();
    assert.equal((await again.status()).keys, 1);
    await again.close();
  });
});

describe("a directory that cannot be used", () => {
  it("is refused when it is a file", async () => {
    const directory = await temporaryDirectory();
    await writeFile(join(directory, "file"), "");
    await rejectsWith(
      openLmdbStore({ directory: join(directory, "file"), runtime: systemRuntime({ clock: createTestClock() }) }),
      "unreadable",
    );
    await rejectsWith(
      openLmdbStore({
        directory: join(directory, "file", "below"),
        runtime: systemRuntime({ clock: createTestClock() }),
      }),
      "unreadable",
    );
    await rm(directory, { recursive: true });
  });
});
