import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@coxswain/runtime/clock";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseUndoLog, type UndoLog, undoLogAt } from "./undo-log.js";

describe("an undo log", () => {
  let folder = "";
  beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), "undo-"))));
  afterEach(() => rm(folder, { recursive: true }));
  const logAt = (boot = "first"): UndoLog =>
    undoLogAt(join(folder, "deep", "undo.jsonl"), { clock: systemClock, bootId: async () => boot });

  it("takes back what was done, and is gone then", async () => {
    const path = join(folder, "machine");
    await logAt().add({ kind: "folder", path });
    await mkdir(join(path, "n1"), { recursive: true });
    expect(await logAt().undoAll()).toBe(true);
    expect([existsSync(path), existsSync(logAt().file)]).toEqual([false, false]);
    expect(await logAt().undoAll()).toBe(false);
  });

  it("takes back what was not begun without an error", async () => {
    const log = logAt();
    await log.add({ kind: "folder", path: join(folder, "never") });
    await log.add({ kind: "cgroup", path: join(folder, "never-either") });
    await log.add({ kind: "link", name: "cxs-never" });
    await log.undoAll();
  });

  it("of a machine that was started anew leaves the kernel's things alone: they are somebody else's", async () => {
    const setting = join(folder, "setting");
    await writeFile(setting, "1");
    await logAt("first").add({ kind: "sysctl", path: setting, value: "0", unlessLink: "cxs-none-" });
    await logAt("second").undoAll();
    expect(readFileSync(setting, "utf8")).toBe("1");
  });

  it("gives a setting its value back", async () => {
    const setting = join(folder, "setting");
    await writeFile(setting, "1");
    await logAt().add({ kind: "sysctl", path: setting, value: "0", unlessLink: "cxs-none-" });
    await logAt().undoAll();
    expect(readFileSync(setting, "utf8")).toBe("0");
  });

  it("ends at a line that was written in part", () => {
    const whole = { kind: "folder", path: "/a" };
    expect(parseUndoLog(`{"boot":"x"}\n${JSON.stringify(whole)}\n{"kind":"fol`)).toEqual({ undos: [whole], boot: "x" });
  });
});
