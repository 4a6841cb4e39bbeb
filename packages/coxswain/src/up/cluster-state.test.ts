import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { isRunning, logFile, openLog, ownStart, readState, stateFile, writeState } from "./cluster-state.js";
import { stopCluster } from "./down-command.js";
import { problemOf } from "./trusted-folder.js";

describe.skipIf(process.platform === "win32")("the folder of a cluster", () => {
  const root = mkdtempSync(join(tmpdir(), "coxswain-folder-"));
  const folder = join(root, "dev");
  const good = {
    name: "dev",
    pid: process.pid,
    pidStart: ownStart(),
    url: "",
    port: 1,
    kubeconfig: "",
    nodes: 1,
    startedAt: "",
  };
  beforeEach(() => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { mode: 0o700 });
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it("has a state that names our process", () => {
    writeState(folder, good);
    expect(readState(folder)).toEqual(good);
    expect(isRunning(good)).toBe(true);
  });

  for (const pid of [-1, 0, 1, -process.pid, 1.5, "12", null, undefined, 2 ** 60])
    it(`stops nothing for the pid ${JSON.stringify(pid)}`, async () => {
      writeFileSync(stateFile(folder), JSON.stringify({ ...good, pid }));
      expect(readState(folder)).toBeUndefined();
      expect(await stopCluster(folder)).toBe(false);
    });

  it("stops nothing for a process that began at another time, or when that is not recorded", async () => {
    const stranger = spawn("sleep", ["60"], { stdio: "ignore" });
    const ended = once(stranger, "exit");
    for (const pidStart of ["", "1"]) {
      writeState(folder, { ...good, pid: stranger.pid!, pidStart });
      expect(await stopCluster(folder)).toBe(false);
    }
    expect(stranger.signalCode).toBeNull();
    stranger.kill();
    await ended;
  });

  it("has no state behind a link, and no log", () => {
    const elsewhere = join(root, "elsewhere");
    writeFileSync(elsewhere, JSON.stringify(good));
    symlinkSync(elsewhere, stateFile(folder));
    symlinkSync(elsewhere, logFile(folder));
    expect(() => readState(folder)).toThrow("cluster.json is a symbolic link");
    expect(() => openLog(folder)).toThrow("cluster.log is a symbolic link");
    expect(readFileSync(elsewhere, "utf8")).toBe(JSON.stringify(good));
  });

  it("has a log that begins empty", () => {
    writeFileSync(logFile(folder), "old");
    closeSync(openLog(folder));
    expect(readFileSync(logFile(folder), "utf8")).toBe("");
  });

  for (const mode of [0o770, 0o707, 0o777])
    it(`is refused with the mode ${mode.toString(8)}`, async () => {
      writeState(folder, good);
      chmodSync(folder, mode);
      const sentence = `may be written to by others (mode ${mode.toString(8)}`;
      expect(() => readState(folder)).toThrow(sentence);
      expect(() => openLog(folder)).toThrow(sentence);
      await expect(stopCluster(folder)).rejects.toThrow(sentence);
    });

  it("may be read by others", () => {
    chmodSync(folder, 0o755);
    writeState(folder, good);
    expect(readState(folder)).toEqual(good);
  });

  it.runIf(process.geteuid?.() === 0)("is refused when it is somebody else's, and so is a file in it", () => {
    writeState(folder, good);
    chownSync(stateFile(folder), 12_345, 12_345);
    expect(() => readState(folder)).toThrow("cluster.json belongs to another user (12345)");
    chownSync(folder, 12_345, 12_345);
    expect(() => readState(folder)).toThrow(`the folder ${folder} belongs to another user (12345)`);
  });

  it("is anybody's where files have no owners", () =>
    expect(problemOf({ uid: 0, mode: 0o777 }, undefined)).toBeUndefined());
});
