import { appendFileSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testRuntime } from "@coxswain/runtime";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { FileTree } from "../../languages/shell/file-tree.js";
import { createJournaledVolumes } from "./journaled-volumes.js";
import type { PersistentVolumes } from "./persistent-volumes.js";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const mebibyte = 1024 * 1024;

/** All that a tree has: contents and modes of files, "/" for directories. */
function dump(tree: FileTree, directory = ""): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of tree.list(directory)) {
    const path = directory === "" ? name : `${directory}/${name}`;
    const content = tree.read(path);
    if (content) found[path] = `${(tree.mode(path) ?? 0).toString(8)} ${new TextDecoder().decode(content)}`;
    else Object.assign(found, { [path]: "/" }, dump(tree, path));
  }
  return found;
}

describe("volumes with a journal", () => {
  let directory: string;
  beforeEach(() => void (directory = mkdtempSync(join(tmpdir(), "coxswain-volumes-"))));
  afterEach(() => rmSync(directory, { recursive: true }));
  const start = async (): Promise<PersistentVolumes> => {
    const volumes = createJournaledVolumes({ runtime: testRuntime(1), directory });
    await volumes.open("v", 64 * mebibyte);
    return volumes;
  };
  /** What a second process finds after the first one has ended. */
  async function afterRestart(change: (tree: FileTree, volumes: PersistentVolumes) => unknown) {
    const first = await start();
    await change(first.tree("v"), first);
    await first.stop();
    const second = await start();
    const found = dump(second.tree("v"));
    await second.stop();
    return found;
  }
  const later = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

  const rows: { name: string; change(tree: FileTree): unknown; found: Record<string, string> }[] = [
    { name: "a file", change: (tree) => tree.write("a/b", bytes("x")), found: { a: "/", "a/b": "644 x" } },
    { name: "an empty directory", change: (tree) => tree.makeDirectory("a"), found: { a: "/" } },
    {
      name: "what was appended, written in between or not",
      async change(tree) {
        tree.write("log", bytes("1"));
        tree.append("log", bytes("2"));
        await later();
        tree.append("log", bytes("3"));
        tree.append("log", bytes("4"));
      },
      found: { log: "644 1234" },
    },
    {
      name: "a mode",
      change: (tree) => (tree.write("run", bytes("x")), tree.setMode("run", 0o755)),
      found: { run: "755 x" },
    },
    {
      name: "nothing of what was removed",
      async change(tree) {
        tree.write("a/b", bytes("x"));
        await later();
        tree.remove("a");
      },
      found: {},
    },
    {
      name: "what took the place of something removed",
      async change(tree) {
        tree.write("a/b", bytes("x"));
        tree.write("c", bytes("x"));
        await later();
        tree.remove("a");
        tree.write("a", bytes("y"));
        tree.remove("c");
        tree.write("c/d", bytes("z"));
      },
      found: { a: "644 y", c: "/", "c/d": "644 z" },
    },
    {
      name: "names that no file of this machine could have",
      change: (tree) => tree.write("..\n%2F/\u0000", bytes("x")),
      found: { "..\n%2F": "/", "..\n%2F/\u0000": "644 x" },
    },
  ];
  for (const { name, change, found } of rows)
    it(`bring back ${name}`, async () => expect(await afterRestart(change)).toEqual(found));

  it("are written anew once their journal is much longer than they are", async () => {
    const content = "x".repeat(mebibyte);
    const found = await afterRestart(async (tree) => {
      for (let round = 0; round < 8; round++) {
        tree.write("big", bytes(content));
        await later();
        tree.append("small", bytes(`${round}`));
      }
    });
    expect(found["small"]).toBe("644 01234567");
    expect(statSync(join(directory, "v.volume")).size).toBeLessThan(4.5 * mebibyte);
  });

  it("lose the record that a killed process did not finish, and nothing else", async () => {
    await afterRestart((tree) => (tree.write("a", bytes("1")), tree.write("b", bytes("2"))));
    const file = join(directory, "v.volume");
    truncateSync(file, statSync(file).size - 2);
    expect(await afterRestart((tree) => tree.write("c", bytes("3")))).toEqual({ a: "644 1", c: "644 3" });
    appendFileSync(file, '{"op":"write","path":"d","mode":420,"size":100}\nshort');
    expect(await afterRestart(() => undefined)).toEqual({ a: "644 1", c: "644 3" });
  });

  it("leave no file behind when they are removed, opened or not", async () => {
    await afterRestart((tree) => tree.write("a", bytes("1")));
    const volumes = createJournaledVolumes({ runtime: testRuntime(1), directory });
    await volumes.remove("v");
    expect(readdirSync(directory)).toEqual([]);
    await volumes.open("v", mebibyte);
    expect(dump(volumes.tree("v"))).toEqual({});
    await volumes.remove("v");
    expect(readdirSync(directory)).toEqual([]);
  });

  it("take no more than their capacity", async () => {
    const volumes = await start();
    await volumes.open("v", 1000);
    expect(volumes.tree("v").write("a", new Uint8Array(2000))).toBe("No space left on device");
    await volumes.open("v", 4000);
    expect(volumes.tree("v").write("a", new Uint8Array(2000))).toBeUndefined();
    await volumes.stop();
  });
});
