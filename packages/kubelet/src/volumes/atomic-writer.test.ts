import { mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createVirtualClock } from "@coxswain/runtime/clock";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { writeAtomically } from "./atomic-writer.js";
import type { PayloadFile } from "./payload.js";

let directory = "";
beforeEach(async () => void (directory = await mkdtemp(join(tmpdir(), "payload-"))));
afterEach(() => rm(directory, { recursive: true }));

const file = (text: string, mode = 0o644): PayloadFile => ({ content: Buffer.from(text), mode });
const write = (files: Readonly<Record<string, PayloadFile>>, setPermissions = async (): Promise<void> => {}) =>
  writeAtomically(directory, new Map(Object.entries(files)), { clock: createVirtualClock(), setPermissions });
const read = (path: string): Promise<string> => readFile(join(directory, path), "utf8");
const names = async (): Promise<string[]> => (await readdir(directory)).filter((name) => !/^\.\.\d/.test(name)).sort();
const stamps = async (): Promise<number> => (await readdir(directory)).filter((name) => /^\.\.\d/.test(name)).length;

describe("the atomic writer", () => {
  it("writes files behind links through ..data", async () => {
    expect(await write({ a: file("1"), "d/e": file("2", 0o400) })).toBe(true);
    expect(await names()).toEqual(["..data", "a", "d"]);
    expect([await read("a"), await read("d/e")]).toEqual(["1", "2"]);
    expect(await readlink(join(directory, "a"))).toBe("..data/a");
    expect((await stat(join(directory, "d/e"))).mode & 0o777).toBe(0o400);
    expect(await readlink(join(directory, "..data"))).toMatch(/^\.\.\d{4}_\d\d_\d\d_\d\d_\d\d_\d\d\./);
  });

  it("leaves equal files alone", async () => {
    await write({ a: file("1") });
    const before = await readlink(join(directory, "..data"));
    expect(await write({ a: file("1") })).toBe(false);
    expect(await readlink(join(directory, "..data"))).toBe(before);
  });

  it("swaps all files at once, and removes what is no longer wanted", async () => {
    await write({ a: file("1"), gone: file("x"), "dir/gone": file("y") });
    expect(await write({ a: file("2"), new: file("3") })).toBe(true);
    expect(await names()).toEqual(["..data", "a", "new"]);
    expect([await read("a"), await read("new"), await stamps()]).toEqual(["2", "3", 1]);
  });

  it("a file that goes from a directory that stays goes", async () => {
    await write({ "d/a": file("1"), "d/b": file("2") });
    await write({ "d/a": file("1") });
    expect(await readdir(join(directory, "d"))).toEqual(["a"]);
  });

  it("a reader that has the directory open sees old files until it is done", async () => {
    await write({ a: file("old") });
    const seen: string[] = [];
    await write({ a: file("new") }, async () => void seen.push(await read("a")));
    expect([...seen, await read("a")]).toEqual(["old", "new"]);
  });

  it("links that are missing are made although no file changed", async () => {
    await write({ a: file("1") });
    await rm(join(directory, "a"));
    expect(await write({ a: file("1") })).toBe(false);
    expect(await read("a")).toBe("1");
  });

  it("what a crash left between two steps does not stop the next write", async () => {
    await write({ a: file("1") });
    await mkdir(join(directory, "..2020_01_01_00_00_00.crash"));
    await writeFile(join(directory, "..2020_01_01_00_00_00.crash/half"), "");
    await symlink("..2020_01_01_00_00_00.crash", join(directory, "..data_tmp"));
    await write({ a: file("2") });
    expect([await read("a"), await stamps(), await names()]).toEqual(["2", 1, ["..data", "a"]]);
  });

  it("a ..data link to a directory that is gone is replaced", async () => {
    await symlink("..gone", join(directory, "..data"));
    await write({ a: file("1") });
    expect(await read("a")).toBe("1");
  });

  it("a failure leaves the old files and nothing half done", async () => {
    await write({ a: file("1") });
    await expect(write({ a: file("2") }, () => Promise.reject(new Error("no permission")))).rejects.toThrow(
      "no permission",
    );
    expect([await read("a"), await stamps()]).toEqual(["1", 1]);
  });

  it("an empty payload is an empty volume", async () => {
    await write({});
    expect(await names()).toEqual(["..data"]);
  });
});
