import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { systemRuntime } from "@coxswain/runtime";
import { systemClock } from "@coxswain/runtime/clock";
import { createMemoryStore } from "@coxswain/storage";
import { writeBackup } from "@coxswain/storage/backup";
import { lockDirectory, openLmdbStore } from "@coxswain/storage/lmdb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { restoreDirectory } from "./restore-directory.js";

const launcher = join(dirname(fileURLToPath(import.meta.url)), "../../bin/coxswain.js");
const open = (directory: string) =>
  openLmdbStore({ directory, runtime: systemRuntime(), compaction: "off", reserveBytes: 0 });

describe("restoring a directory", { timeout: 60_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), "coxswain-restore-"));
  const file = join(folder, "backup");
  const keys = 20_000;
  beforeAll(async () => {
    const source = createMemoryStore({ runtime: systemRuntime() });
    const value = new Uint8Array(500).fill(120);
    for (let from = 0; from < keys; from += 1000)
      await source.transaction(
        Array.from({ length: 1000 }, (_, i) => ({
          op: "put" as const,
          key: `/registry/things/${String(from + i).padStart(6, "0")}`,
          value,
          expected: 0,
        })),
      );
    await writeBackup(source, { file });
    await source.close();
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const withOldStore = async (name: string): Promise<string> => {
    const directory = join(folder, name, "store");
    const store = await open(directory);
    await store.put({ key: "/registry/old", value: new Uint8Array(1), expected: 0 });
    await store.close();
    return directory;
  };

  it("killed with -9 in the middle leaves the old data, and the next one works", async () => {
    const directory = await withOldStore("killed");
    const child = spawn(process.execPath, [launcher, "store", "restore", file, "--data-dir", dirname(directory)], {
      stdio: "ignore",
    });
    const exited = once(child, "exit");
    // Its first file of the new data: it has begun, and is far from done.
    while (child.exitCode === null && !existsSync(join(directory, "restored.restoring")))
      await new Promise((resolve) => setTimeout(resolve, 1));
    child.kill("SIGKILL");
    expect((await exited)[1]).toBe("SIGKILL");

    const old = await open(directory);
    expect((await old.range({ prefix: "" })).records.map(({ key }) => key)).toEqual(["/registry/old"]);
    await old.close();

    expect(await restoreDirectory({ directory, file, clock: systemClock })).toMatchObject({ keys });
    const restored = await open(directory);
    expect((await restored.range({ prefix: "", countOnly: true })).count).toBe(keys);
    await restored.close();
    expect(readdirSync(directory).filter((name) => name.includes("restor")).length).toBe(1); // the old data, kept
  });

  it("keeps what the process before was answered, though it was ended hard and only the write-ahead log has it", async () => {
    const directory = join(folder, "ended", "store");
    const running = join(folder, "running", "store");
    const store = await openLmdbStore({
      directory: running,
      runtime: systemRuntime(),
      compaction: "off",
      reserveBytes: 0,
      seams: { walFirst: true },
    });
    for (let i = 0; i < 3; i++) await store.put({ key: `/registry/old${i}`, value: new Uint8Array(1), expected: 0 });
    mkdirSync(directory, { recursive: true });
    for (const name of ["data.mdb", "data.wal"]) copyFileSync(join(running, name), join(directory, name));
    await store.close();

    const { kept } = await restoreDirectory({ directory, file, clock: systemClock });
    const restored = await open(directory);
    expect((await restored.range({ prefix: "/registry/old", countOnly: true })).count).toBe(0);
    expect((await restored.range({ prefix: "", countOnly: true })).count).toBe(keys);
    await restored.close();

    const before = join(folder, "before");
    mkdirSync(before);
    copyFileSync(kept!, join(before, "data.mdb"));
    const old = await open(before);
    expect((await old.range({ prefix: "" })).records.map(({ key }) => key)).toEqual([
      "/registry/old0",
      "/registry/old1",
      "/registry/old2",
    ]);
    await old.close();
  });

  it("is refused while another process has it open, and while a backup is damaged; nothing changes", async () => {
    const directory = await withOldStore("refused");
    const lock = await lockDirectory(directory);
    await expect(restoreDirectory({ directory, file, clock: systemClock })).rejects.toThrow(`pid ${process.pid}`);
    await lock.release();
    const damaged = join(folder, "damaged");
    const bytes = readFileSync(file);
    bytes[bytes.length >> 1]! ^= 1;
    writeFileSync(damaged, bytes);
    await expect(restoreDirectory({ directory, file: damaged, clock: systemClock })).rejects.toThrow(
      "cannot be restored",
    );
    const old = await open(directory);
    expect((await old.range({ prefix: "" })).records.map(({ key }) => key)).toEqual(["/registry/old"]);
    await old.close();
  });
});
