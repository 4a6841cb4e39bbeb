import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { cleanLeftovers, openUndoLog } from "./undo-log.js";

describe("the undo log of a run", () => {
  let folder = "";
  beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), "undo-"))));
  afterEach(() => rm(folder, { recursive: true }));
  const owner = { pid: 4711, startTime: "42" };
  const logs = (): string => join(folder, "logs");

  async function killedRun(): Promise<string> {
    const path = join(folder, "machines");
    const log = await openUndoLog(logs(), owner);
    await log.add({ kind: "folder", path });
    await mkdir(join(path, "n1"), { recursive: true });
    return path;
  }

  it("of a process that is gone is carried out by the next run", async () => {
    const path = await killedRun();
    expect(await cleanLeftovers(logs(), async () => false)).toBe(1);
    expect(existsSync(path)).toBe(false);
    expect(await cleanLeftovers(logs(), async () => false)).toBe(0);
  });

  it("of a process that is alive is left alone", async () => {
    const path = await killedRun();
    const asked: unknown[] = [];
    const isAlive = async (process: unknown): Promise<boolean> => asked.push(process) > 0;
    expect(await cleanLeftovers(logs(), isAlive)).toBe(0);
    expect([existsSync(path), asked]).toEqual([true, [owner]]);
  });

  it("that speaks of another process with the same number is a leftover", async () => {
    const path = join(folder, "other");
    await mkdir(path);
    const log = await openUndoLog(logs(), { pid: process.pid, startTime: "1" });
    await log.add({ kind: "folder", path });
    expect(await cleanLeftovers(logs())).toBe(1);
    expect(existsSync(path)).toBe(false);
  });
});
