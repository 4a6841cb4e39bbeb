import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, readFileSync, readlinkSync } from "node:fs";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { systemRuntime } from "@coxswain/runtime";
import { afterEach, beforeEach, describe, it } from "vitest";
import { createTestClock } from "../conformance/index.js";
import { rejectsWith } from "../conformance/writing.js";
import { startProcess, temporaryDirectory } from "./crash/test-process.js";
import { lockDirectory } from "./directory-lock.js";
import { openLmdbStore } from "./index.js";

describe("the lock of a directory", () => {
  let directory: string;
  beforeEach(async () => {
    directory = await temporaryDirectory();
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  it("is free again once released, and leaves nothing behind", async () => {
    for (let i = 0; i < 3; i++) await (await lockDirectory(directory)).release();
    assert.deepEqual(await readdir(directory), []);
  });

  it("refuses a second store of the same process", async () => {
    const store = await openLmdbStore({
      directory,
      runtime: systemRuntime({ clock: createTestClock() }),
      reserveBytes: 0,
    });
    await assert.rejects(
      openLmdbStore({ directory, runtime: systemRuntime({ clock: createTestClock() }) }),
      new RegExp(`is in use: this process \\(pid ${process.pid}\\) has it open already`),
    );
    await store.close();
    await (
      await openLmdbStore({ directory, runtime: systemRuntime({ clock: createTestClock() }), reserveBytes: 0 })
    ).close();
  });

  it("refuses a store that another process has open, by a sentence that names it, and takes over when it was killed", async () => {
    const other = await new Promise<Awaited<ReturnType<typeof startProcess>>>((resolve, reject) => {
      const started = startProcess("open-process", [directory], { onLine: () => void started.then(resolve) });
      started.then(({ lines, errors }) => lines.then(() => reject(new Error(errors()))), reject);
    });
    const opening = openLmdbStore({ directory, runtime: systemRuntime({ clock: createTestClock() }) });
    await assert.rejects(
      opening,
      new RegExp(
        `the store in ${directory} is in use: the process with pid ${other.child.pid} has it open. Stop that one first`,
      ),
    );
    other.child.kill("SIGKILL");
    await other.lines;
    const store = await openLmdbStore({
      directory,
      runtime: systemRuntime({ clock: createTestClock() }),
      reserveBytes: 0,
    });
    await store.close();
  });

  const zombieTitle = "takes over from a process that was killed and whose parent has not asked for it yet";
  it.skipIf(!existsSync("/proc/self/stat"))(zombieTitle, async () => {
    // The shell starts a child that it never waits for, because it has become another program, and the child ends at once.
    const parent = spawn("sh", ["-c", "sh -c 'cat /proc/$$/stat; kill -9 $$' & exec sleep 60"]);
    try {
      const stat = await new Promise<string>((resolve) => parent.stdout.once("data", (text) => resolve(String(text))));
      const pid = Number.parseInt(stat, 10);
      while (!readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ")) await new Promise(setImmediate);
      const started = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
      const namespace = readlinkSync("/proc/self/ns/pid");
      const holder = { pid, host: hostname(), namespace, started, token: `${pid}-${started}-1` };
      await writeFile(join(directory, "lock"), JSON.stringify(holder));
      await (await lockDirectory(directory)).release();
    } finally {
      parent.kill("SIGKILL");
    }
  });

  it("takes a process of another machine for alive, and its message has what to do", async () => {
    await writeFile(
      join(directory, "lock"),
      JSON.stringify({ pid: 1, host: "elsewhere", namespace: "", started: "1", token: "t" }),
    );
    await assert.rejects(
      lockDirectory(directory),
      /the process with pid 1 on elsewhere had it open last.*If it has ended, remove .*lock/,
    );
  });

  it("knows a later process with the same number from the one that died", async () => {
    const held = await lockDirectory(directory);
    const holder = JSON.parse(await readFile(join(directory, "lock"), "utf8")) as object;
    await held.release();
    await writeFile(join(directory, "lock"), JSON.stringify({ ...holder, started: "1", token: "before" }));
    await (await lockDirectory(directory)).release();
  });

  it("lets one win when many take over from the dead at once", async () => {
    for (let round = 0; round < 20; round++) {
      const held = await lockDirectory(directory);
      const holder = JSON.parse(await readFile(join(directory, "lock"), "utf8")) as object;
      await held.release();
      await writeFile(join(directory, "lock"), JSON.stringify({ ...holder, started: "1", token: `dead-${round}` }));
      const attempts = await Promise.allSettled(Array.from({ length: 8 }, () => lockDirectory(directory)));
      const winners = attempts.filter((attempt) => attempt.status === "fulfilled");
      assert.equal(winners.length, 1);
      await winners[0]!.value.release();
    }
    assert.deepEqual(await readdir(directory), []);
  });

  it("calls a lock that it cannot read by its name", async () => {
    await writeFile(join(directory, "lock"), "not ours");
    await rejectsWith(lockDirectory(directory), "unreadable");
  });
});
