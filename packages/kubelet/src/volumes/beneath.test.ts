import { mkdir, mkdtemp, readFile, readlink, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeBeneath, nameIn, namesOf, openBeneath, pathOf } from "./beneath.js";

let top = "";
let volume = "";
beforeAll(async () => {
  top = await mkdtemp(join(tmpdir(), "beneath-"));
  volume = join(top, "volume");
  await mkdir(join(volume, "a/b"), { recursive: true });
  await mkdir(join(top, "outside"));
  await writeFile(join(top, "outside/secret"), "leak");
  await writeFile(join(volume, "a/b/file"), "fine");
  await symlink(join(top, "outside"), join(volume, "out"));
  await symlink("a", join(volume, "inside"));
});
afterAll(() => rm(top, { recursive: true }));

describe("a path below a volume", () => {
  it("is opened name by name", async () => {
    const file = await openBeneath(volume, "a//./b/file");
    expect(await readlink(pathOf(file))).toBe(join(volume, "a/b/file"));
    await file.close();
  });

  const refused = [
    { name: "a link to the outside", path: "out", error: "unexpected symlink found out" },
    { name: "a file behind a link", path: "out/secret", error: "unexpected symlink found out" },
    { name: "a link that stays inside", path: "inside/b", error: "unexpected symlink found inside" },
    { name: "a way up", path: "a/../..", error: "must not contain '..'" },
    { name: "an absolute path", path: "/etc", error: "not a relative path" },
    { name: "a path that is not there", path: "a/none", error: "ENOENT" },
    { name: "a name below a file", path: "a/b/file/x", error: "ENOTDIR" },
  ];
  for (const { name, path, error } of refused)
    it(`refuses ${name}`, () => expect(openBeneath(volume, path)).rejects.toThrow(error));

  it("of which a directory is swapped for a link after it was opened still leads to the old directory", async () => {
    await mkdir(join(volume, "swapped"));
    await writeFile(join(volume, "swapped/secret"), "own");
    const opened = await openBeneath(volume, "swapped");
    await rename(join(volume, "swapped"), join(volume, "moved"));
    await symlink(join(top, "outside"), join(volume, "swapped"));
    expect(await readFile(nameIn(opened, "secret"), "utf8")).toBe("own");
    await opened.close();
  });

  it("is made where it is missing, with the mode that was asked for", async () => {
    const made = await makeBeneath(volume, "a/new/deep", 0o2775);
    await made.close();
    expect((await stat(join(volume, "a/new/deep"))).mode & 0o7777).toBe(0o2775);
    expect((await stat(join(volume, "a/new"))).mode & 0o7777).toBe(0o2775);
  });

  it("is not made behind a link", async () => {
    await expect(makeBeneath(volume, "out/made", 0o755)).rejects.toThrow("unexpected symlink");
    await expect(stat(join(top, "outside/made"))).rejects.toThrow("ENOENT");
  });

  it("without names is the volume itself", () => expect(namesOf("./")).toEqual([]));
});
