import assert from "node:assert/strict";
import { chmod, mkdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemRuntime } from "@coxswain/runtime";
import { afterEach, beforeEach, describe, it } from "vitest";
import { createTestClock } from "../conformance/index.js";
import { temporaryDirectory } from "./crash/test-process.js";
import { openLmdbStore } from "./index.js";

const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o7777).toString(8);

describe("who may read the store's files", () => {
  let directory: string;
  beforeEach(async () => {
    directory = join(await temporaryDirectory(), "data");
  });
  afterEach(() => rm(join(directory, ".."), { recursive: true, force: true }));
  const openAndClose = async (): Promise<void> =>
    (await openLmdbStore({ directory, runtime: systemRuntime({ clock: createTestClock() }), reserveBytes: 0 })).close();

  it("only their owner may, in a new directory", async () => {
    await openAndClose();
    assert.equal(await modeOf(directory), "700");
    for (const file of ["data.mdb", "data.mdb-lock"]) assert.equal(await modeOf(join(directory, file)), "600", file);
  });

  it("rights that others were given are taken away at the next start", async () => {
    await openAndClose();
    await chmod(directory, 0o755);
    for (const file of ["data.mdb", "data.mdb-lock"]) await chmod(join(directory, file), 0o644);
    await openAndClose();
    assert.equal(await modeOf(directory), "700");
    for (const file of ["data.mdb", "data.mdb-lock"]) assert.equal(await modeOf(join(directory, file)), "600", file);
  });

  it("an empty directory becomes private", async () => {
    await mkdir(directory, { mode: 0o755 });
    await openAndClose();
    assert.equal(await modeOf(directory), "700");
  });

  it("a directory that has other files in it keeps its mode", async () => {
    await mkdir(directory, { mode: 0o755 });
    await writeFile(join(directory, "notes"), "");
    await openAndClose();
    assert.equal(await modeOf(directory), "755");
    assert.equal(await modeOf(join(directory, "data.mdb")), "600");
  });
});
