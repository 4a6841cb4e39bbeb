import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { apiserverFlags } from "./apiserver-flags.js";
import { readFlagFile } from "./flag-file.js";

describe("flags from a file", () => {
  const directory = mkdtempSync(join(tmpdir(), "flag-file-"));
  afterAll(() => rmSync(directory, { recursive: true }));
  const read = (text: string, given: readonly string[] = []): Promise<string[]> => {
    const file = join(directory, "flags.yaml");
    writeFileSync(file, text);
    return readFlagFile(file, apiserverFlags, new Set(given));
  };
  it("numbers, switches, lists and maps", async () =>
    expect(
      await read("secure-port: 7443\nprofiling: false\nauthorization-mode: [Node, RBAC]\nfeature-gates:\n  A: true\n"),
    ).toEqual([
      "--secure-port=7443",
      "--profiling=false",
      "--authorization-mode=Node",
      "--authorization-mode=RBAC",
      "--feature-gates=A=true",
    ]));
  it("the command line comes first", async () =>
    expect(await read("secure-port: 7443\nv: 3\n", ["secure-port"])).toEqual(["--v=3"]));
  it("refuses what is no flag", async () =>
    expect(read("secureport: 1\n")).rejects.toThrow("there is no flag secureport"));
  it("refuses what has no flags in it", async () =>
    expect(read("- a\n")).rejects.toThrow("must have flags as members"));
});
