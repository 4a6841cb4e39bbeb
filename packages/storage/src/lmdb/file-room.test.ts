import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "vitest";
import { createTestClock } from "../conformance/index.js";
import { write } from "../conformance/writing.js";
import { temporaryDirectory } from "./crash/test-process.js";
import { FileRoom } from "./file-room.js";
import { openLmdbStore } from "./index.js";

const megabyte = 1024 * 1024;

describe("the room of a data file", () => {
  let directory: string;
  beforeEach(async () => {
    directory = await temporaryDirectory();
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  it("is made by appending, once there is little left", async () => {
    const file = join(directory, "file");
    await writeFile(file, Buffer.alloc(1000, 7));
    let used = 1000;
    const room = new FileRoom({ file, ahead: 4 * megabyte, usedBytes: () => used, sizeBytes: () => statSync(file).size });
    room.look();
    while (statSync(file).size < 1000 + 4 * megabyte) await new Promise((resolve) => setTimeout(resolve, 5));
    await room.stop();
    const again = new FileRoom({ file, ahead: 0, usedBytes: () => used, sizeBytes: () => statSync(file).size });
    const { size } = statSync(file);
    used = size;
    again.look();
    await again.stop();
    assert.equal(statSync(file).size, size, "without an ahead nothing is made");
  });

  it("does not disturb writers, however they overlap", { timeout: 60_000 }, async () => {
    const open = (): ReturnType<typeof openLmdbStore> => openLmdbStore({ directory, clock: createTestClock(), compaction: "off", reserveBytes: 0, aheadBytes: 2 * megabyte });
    let store = await open();
    const sizes = [10, 1500, 5000, 40_000];
    for (let i = 0; i < 600; i++) await store.put({ key: `/k/${i}`, value: Buffer.alloc(sizes[i % 4]!, i), expected: 0 });
    await store.close();
    store = await open();
    for (let i = 0; i < 600; i++) assert.deepEqual(Buffer.from((await store.get(`/k/${i}`))!.value), Buffer.alloc(sizes[i % 4]!, i));
    await write(store, "/more", "1");
    await store.close();
    assert.ok(statSync(join(directory, "data.mdb")).size > 8 * megabyte);
  });
});
