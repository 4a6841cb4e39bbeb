import { chmodSync, closeSync, mkdirSync, openSync } from "node:fs";
import { link, lstat, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemRuntime } from "@coxswain/runtime";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nameIn } from "./beneath.js";
import { diskUsage } from "./disk-usage.js";
import { hasOwnership, setGroupOwnership } from "./ownership.js";
import { removeTree } from "./remove-tree.js";
import { walkTree } from "./walk-tree.js";

const { scheduler } = systemRuntime();
let top = "";
let tree = "";
beforeEach(async () => {
  top = await mkdtemp(join(tmpdir(), "tree-"));
  tree = join(top, "tree");
  await mkdir(join(tree, "a/b"), { recursive: true });
  await mkdir(join(top, "outside"), { mode: 0o700 });
  await writeFile(join(top, "outside/file"), "kept", { mode: 0o600 });
  await writeFile(join(tree, "a/b/file"), "x", { mode: 0o600 });
  await symlink(join(top, "outside"), join(tree, "a/link"));
});
afterEach(() => rm(top, { recursive: true }));

/** Deeper than one path can name: made step by step, as an attacker would. */
function makeDeep(directory: string, depth: number): void {
  let descriptor = openSync(directory, "r");
  for (let i = 0; i < depth; i++) {
    mkdirSync(nameIn(descriptor, "directory-with-a-long-name"));
    const next = openSync(nameIn(descriptor, "directory-with-a-long-name"), "r");
    closeSync(descriptor);
    descriptor = next;
  }
  closeSync(descriptor);
}

describe("a walk of a tree", () => {
  it("visits directories after what is in them, and links without following them", async () => {
    const seen: string[] = [];
    await walkTree(
      tree,
      ({ stats }) => void seen.push(stats.isDirectory() ? "d" : stats.isSymbolicLink() ? "l" : "f"),
      scheduler,
    );
    expect([seen.length, seen.at(-1), seen.filter((each) => each === "l").length]).toEqual([5, "d", 1]);
  });

  it("ends with an error in a tree that is too deep, and closes its descriptors; removing it takes two", async () => {
    makeDeep(tree, 1005);
    const open = async (): Promise<number> => (await readdir("/proc/self/fd")).length;
    const before = await open();
    await expect(walkTree(tree, () => {}, scheduler)).rejects.toThrow("more than 1000 levels");
    expect(await open()).toBe(before);
    await removeTree(tree, scheduler);
    await expect(stat(tree)).rejects.toThrow("ENOENT");
  });
});

describe("group ownership", () => {
  const mode = async (path: string): Promise<string> => ((await lstat(path)).mode & 0o7777).toString(8);
  const ownership = { fsGroup: process.getgid?.() ?? 0, isReadOnly: false };

  it("gives the group what the owner has, directories the set-group-ID bit, and changes nothing behind a link", async () => {
    chmodSync(join(tree, "a/b"), 0o700);
    await setGroupOwnership(tree, ownership, scheduler);
    expect([await mode(join(tree, "a/b")), await mode(join(tree, "a/b/file"))]).toEqual(["2770", "660"]);
    expect([await mode(join(top, "outside")), await mode(join(top, "outside/file"))]).toEqual(["700", "600"]);
  });

  it("of a volume that pods only read gives no right to write", async () => {
    await setGroupOwnership(tree, { ...ownership, isReadOnly: true }, scheduler);
    expect(await mode(join(tree, "a/b/file"))).toBe("640");
  });

  it("OnRootMismatch leaves a tree alone whose top is right", async () => {
    chmodSync(tree, 0o2770);
    await setGroupOwnership(tree, { ...ownership, policy: "OnRootMismatch" }, scheduler);
    expect(await mode(join(tree, "a/b/file"))).toBe("600");
    chmodSync(tree, 0o770);
    await setGroupOwnership(tree, { ...ownership, policy: "OnRootMismatch" }, scheduler);
    expect(await mode(join(tree, "a/b/file"))).toBe("660");
  });

  const roots = [
    { name: "right", mode: 0o2770, gid: 5, isRight: true },
    { name: "more than needed", mode: 0o2777, gid: 5, isRight: true },
    { name: "another group", mode: 0o2770, gid: 6, isRight: false },
    { name: "no set-group-ID bit", mode: 0o770, gid: 5, isRight: false },
    { name: "not writable", mode: 0o2750, gid: 5, isRight: false },
  ];
  for (const { name, mode, gid, isRight } of roots)
    it(`of the top directory: ${name}`, () =>
      expect(hasOwnership({ mode, gid, isDirectory: () => true }, { fsGroup: 5, isReadOnly: false })).toBe(isRight));
});

describe("disk usage", () => {
  it("counts blocks, and a file with two names once", async () => {
    await writeFile(join(tree, "big"), Buffer.alloc(100_000, 1));
    const before = await diskUsage(tree, scheduler);
    await link(join(tree, "big"), join(tree, "again"));
    expect(await diskUsage(tree, scheduler)).toEqual(before);
    expect(before.usedBytes).toBeGreaterThanOrEqual(100_000);
    expect(before.inodes).toBe(6);
  });
});

describe("removing a tree", () => {
  it("removes links, not what they lead to", async () => {
    await removeTree(tree, scheduler);
    await expect(stat(tree)).rejects.toThrow("ENOENT");
    expect(await readdir(join(top, "outside"))).toEqual(["file"]);
  });

  it("succeeds although names of its own are taken", async () => {
    await mkdir(join(tree, ".removed-0/full"), { recursive: true });
    await writeFile(join(tree, ".removed-1"), "");
    await removeTree(tree, scheduler);
    await expect(stat(tree)).rejects.toThrow("ENOENT");
  });

  it("that is gone is no error; one that is a link is removed as such", async () => {
    await removeTree(join(top, "none"), scheduler);
    await removeTree(join(tree, "a/link"), scheduler);
    expect(await readdir(join(top, "outside"))).toEqual(["file"]);
    expect(await readdir(join(tree, "a"))).toEqual(["b"]);
  });
});
